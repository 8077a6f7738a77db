// Elements of the Cg profile.

extension ElementFamily {
    static let cg = ElementFamily(
        name: "cg",
        grammar: """
            type cg_pipeline_stage'4 = string enum VERTEX FRAGMENT
            type cg_fixed'4 = float -2.0..2.0
            %cg_value'4 = bool:boolean | bool1:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4]
                | bool1x1:boolean[1] | bool1x2:boolean[2] | bool1x3:boolean[3] | bool1x4:boolean[4] | bool2x1:boolean[2]
                | bool2x2:boolean[4] | bool2x3:boolean[6] | bool2x4:boolean[8] | bool3x1:boolean[3] | bool3x2:boolean[6]
                | bool3x3:boolean[9] | bool3x4:boolean[12] | bool4x1:boolean[4] | bool4x2:boolean[8]
                | bool4x3:boolean[12] | bool4x4:boolean[16] | float:float | float1:float | float2:float[2]
                | float3:float[3] | float4:float[4] | float1x1:float[1] | float1x2:float[2] | float1x3:float[3]
                | float1x4:float[4] | float2x1:float[2] | float2x2:float[4] | float2x3:float[6] | float2x4:float[8]
                | float3x1:float[3] | float3x2:float[6] | float3x3:float[9] | float3x4:float[12] | float4x1:float[4]
                | float4x2:float[8] | float4x3:float[12] | float4x4:float[16] | int:int | int1:int | int2:int[2]
                | int3:int[3] | int4:int[4] | int1x1:int[1] | int1x2:int[2] | int1x3:int[3] | int1x4:int[4]
                | int2x1:int[2] | int2x2:int[4] | int2x3:int[6] | int2x4:int[8] | int3x1:int[3] | int3x2:int[6]
                | int3x3:int[9] | int3x4:int[12] | int4x1:int[4] | int4x2:int[8] | int4x3:int[12] | int4x4:int[16]
                | half:float | half1:float | half2:float[2] | half3:float[3] | half4:float[4] | half1x1:float[1]
                | half1x2:float[2] | half1x3:float[3] | half1x4:float[4] | half2x1:float[2] | half2x2:float[4]
                | half2x3:float[6] | half2x4:float[8] | half3x1:float[3] | half3x2:float[6] | half3x3:float[9]
                | half3x4:float[12] | half4x1:float[4] | half4x2:float[8] | half4x3:float[12] | half4x4:float[16]
                | fixed:cg_fixed | fixed1:cg_fixed | fixed2:cg_fixed[2] | fixed3:cg_fixed[3] | fixed4:cg_fixed[4]
                | fixed1x1:cg_fixed[1] | fixed1x2:cg_fixed[2] | fixed1x3:cg_fixed[3] | fixed1x4:cg_fixed[4]
                | fixed2x1:cg_fixed[2] | fixed2x2:cg_fixed[4] | fixed2x3:cg_fixed[6] | fixed2x4:cg_fixed[8]
                | fixed3x1:cg_fixed[3] | fixed3x2:cg_fixed[6] | fixed3x3:cg_fixed[9] | fixed3x4:cg_fixed[12]
                | fixed4x1:cg_fixed[4] | fixed4x2:cg_fixed[8] | fixed4x3:cg_fixed[12] | fixed4x4:cg_fixed[16]
                | surface:cg_surface | sampler1D:cg_sampler1D | sampler2D:cg_sampler2D | sampler3D:cg_sampler3D
                | samplerRECT:cg_samplerRECT | samplerCUBE:cg_samplerCUBE | samplerDEPTH:cg_samplerDEPTH | string:string
                | enum:gl_enumeration
            %cg_value'5 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | bool2x1:boolean[2]
                | bool2x2:boolean[4] | bool2x3:boolean[6] | bool2x4:boolean[8] | bool3x1:boolean[3] | bool3x2:boolean[6]
                | bool3x3:boolean[9] | bool3x4:boolean[12] | bool4x1:boolean[4] | bool4x2:boolean[8]
                | bool4x3:boolean[12] | bool4x4:boolean[16] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float2x1:double[2] | float2x2:double[4] | float2x3:double[6] | float2x4:double[8]
                | float3x1:double[3] | float3x2:double[6] | float3x3:double[9] | float3x4:double[12]
                | float4x1:double[4] | float4x2:double[8] | float4x3:double[12] | float4x4:double[16] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | int2x1:long[2] | int2x2:long[4] | int2x3:long[6]
                | int2x4:long[8] | int3x1:long[3] | int3x2:long[6] | int3x3:long[9] | int3x4:long[12] | int4x1:long[4]
                | int4x2:long[8] | int4x3:long[12] | int4x4:long[16] | half:double | half2:double[2] | half3:double[3]
                | half4:double[4] | half2x1:double[2] | half2x2:double[4] | half2x3:double[6] | half2x4:double[8]
                | half3x1:double[3] | half3x2:double[6] | half3x3:double[9] | half3x4:double[12] | half4x1:double[4]
                | half4x2:double[8] | half4x3:double[12] | half4x4:double[16] | fixed:double | fixed2:double[2]
                | fixed3:double[3] | fixed4:double[4] | fixed2x1:double[2] | fixed2x2:double[4] | fixed2x3:double[6]
                | fixed2x4:double[8] | fixed3x1:double[3] | fixed3x2:double[6] | fixed3x3:double[9]
                | fixed3x4:double[12] | fixed4x1:double[4] | fixed4x2:double[8] | fixed4x3:double[12]
                | fixed4x4:double[16] | sampler1D:fx_sampler1D | sampler2D:fx_sampler2D | sampler3D:fx_sampler3D
                | samplerRECT:fx_samplerRECT | samplerCUBE:fx_samplerCUBE | samplerDEPTH:fx_samplerDEPTH | string:string
                | enum:gl_enumeration | array:cg_array | usertype:cg_user
            profile_CG'4(id:ID platform:NCName=PC) = asset? (code:fx_code | include:fx_include)*
                (image | newparam:cg_newparam)* technique(id:ID sid!:NCName){
                    asset? annotate:fx_annotate* (code:fx_code | include:fx_include)*
                    (image | newparam:cg_newparam | setparam:cg_setparam)* pass(sid:NCName){
                        annotate:fx_annotate* color_target:fx_colortarget* depth_target:fx_depthtarget*
                        stencil_target:fx_stenciltarget* color_clear:fx_clearcolor* depth_clear:fx_cleardepth*
                        stencil_clear:fx_clearstencil* draw:string? (
                            %gl_pipeline_settings | shader(stage:cg_pipeline_stage){
                                annotate:fx_annotate* (compiler_target:NMTOKEN compiler_options:string?)?
                                name(source:NCName):NCName bind(symbol!:NCName){%cg_value | param(ref!:NCName)}*
                            }
                        )+ extra*
                    }+ extra*
                }+ extra*
            profile_CG'5(id:ID platform:NCName=PC) = asset? (code:fx_code | include:fx_include)* newparam:cg_newparam*
                technique(id:ID sid!:NCName){asset? annotate:fx_annotate* pass:cg_pass+ extra*}+ extra*
            cg_sampler1D'4 = source:NCName wrap_s:fx_wrap=WRAP? minfilter:fx_filter=NONE? magfilter:fx_filter=NONE?
                mipfilter:fx_filter=NONE? border_color:double[4]? mipmap_maxlevel:unsignedByte=0? mipmap_bias:float=0.0?
                extra*
            cg_sampler2D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            cg_sampler3D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            cg_samplerCUBE'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            cg_samplerRECT'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            cg_samplerDEPTH'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? extra*
            cg_newarray'4(length!:positiveInteger) =
                (%cg_value | array:cg_newarray | usertype:cg_user | connect_param:cg_connect_param)*
            cg_setarray'4(length:positiveInteger) = (%cg_value | array:cg_setarray | usertype:cg_user)*
            cg_user'4(name!:token source!:NCName) = (
                    (%cg_value | array:cg_setarray | usertype:cg_user | connect_param:cg_connect_param)+
                    | setparam:cg_setparam+
                )?
            cg_user'5(typename!:token source:NCName) = (setparam:cg_setparam*)?
            cg_surface'4(type!:fx_surface_kind) = (
                    %fx_surface_init? format:token? format_hint:fx_surface_format_hint?
                    (size:long[3]="0 0 0" | viewport_ratio:double[2]="1 1")? mip_levels:unsignedInt=0?
                    mipmap_generate:boolean? extra*
                ) generator{
                    annotate:fx_annotate* (code:fx_code | include:fx_include)+ name(source:NCName):NCName
                    setparam:cg_setparam_simple*
                }?
            cg_newparam(sid!:token'4 sid!:NCName'5) = annotate:fx_annotate* semantic:NCName? modifier:fx_modifier?
                (%cg_value | usertype:cg_user | array:cg_newarray)'4 %cg_value'5
            cg_setparam_simple'4(ref!:token) = annotate:fx_annotate* %cg_value
            cg_setparam'4(ref!:token program:NCName) = %cg_value | usertype:cg_user | array:cg_setarray
                | connect_param:cg_connect_param
            cg_setparam'5(ref!:token) = %cg_value
            cg_array'5(length!:positiveInteger resizable:boolean=false) = %cg_value+
            cg_pass'5(sid:NCName) = annotate:fx_annotate* states{%gl_pipeline_settings*}? program{
                    shader(stage!:fx_pipeline_stage){
                        sources(entry!:token){(inline:string | import(ref!:token))*} compiler:fx_target*
                        bind_uniform(symbol!:NCName){param(ref!:NCName) | %cg_value}*
                    }*
                }? evaluate{
                    color_target:fx_colortarget* depth_target:fx_depthtarget* stencil_target:fx_stenciltarget*
                    color_clear:fx_clearcolor* depth_clear:fx_cleardepth* stencil_clear:fx_clearstencil* draw:string?
                }? extra*
            """)
}

// Elements of the GLSL profile.

extension ElementFamily {
    static let glsl = ElementFamily(
        name: "glsl",
        grammar: """
            type glsl_pipeline_stage'4 = string enum VERTEXPROGRAM FRAGMENTPROGRAM
            %glsl_value'4 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | float:float
                | float2:float[2] | float3:float[3] | float4:float[4] | float2x2:float[4] | float3x3:float[9]
                | float4x4:float[16] | int:int | int2:int[2] | int3:int[3] | int4:int[4] | surface:glsl_surface
                | sampler1D:gl_sampler1D | sampler2D:gl_sampler2D | sampler3D:gl_sampler3D | samplerCUBE:gl_samplerCUBE
                | samplerRECT:gl_samplerRECT | samplerDEPTH:gl_samplerDEPTH | enum:gl_enumeration
            %glsl_value'5 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | float:double
                | float2:double[2] | float3:double[3] | float4:double[4] | float2x2:double[4] | float3x3:double[9]
                | float4x4:double[16] | int:long | int2:long[2] | int3:long[3] | int4:long[4] | sampler1D:fx_sampler1D
                | sampler2D:fx_sampler2D | sampler3D:fx_sampler3D | samplerCUBE:fx_samplerCUBE
                | samplerRECT:fx_samplerRECT | samplerDEPTH:fx_samplerDEPTH | enum:gl_enumeration | array:glsl_array
            profile_GLSL'4(id:ID) = asset? (code:fx_code | include:fx_include)* (image | newparam:glsl_newparam)*
                technique(id:ID sid!:NCName){
                    annotate:fx_annotate* (code:fx_code | include:fx_include)*
                    (image | newparam:glsl_newparam | setparam:glsl_setparam)* pass(sid:NCName){
                        annotate:fx_annotate* color_target:fx_colortarget* depth_target:fx_depthtarget*
                        stencil_target:fx_stenciltarget* color_clear:fx_clearcolor* depth_clear:fx_cleardepth*
                        stencil_clear:fx_clearstencil* draw:string? (
                            %gl_pipeline_settings | shader(stage:glsl_pipeline_stage){
                                annotate:fx_annotate* (compiler_target:NMTOKEN compiler_options:string?)?
                                name(source:NCName):NCName bind(symbol!:NCName){%glsl_value | param(ref!:string)}*
                            }
                        )+ extra*
                    }+ extra*
                }+ extra*
            profile_GLSL'5(id:ID platform:NCName=PC) = asset? (code:fx_code | include:fx_include)*
                newparam:glsl_newparam* technique(id:ID sid!:NCName){
                    asset? annotate:fx_annotate* pass(sid:NCName){
                        annotate:fx_annotate* states{%gl_pipeline_settings*}? program:glsl_program? evaluate{
                            color_target:fx_colortarget* depth_target:fx_depthtarget* stencil_target:fx_stenciltarget*
                            color_clear:fx_clearcolor* depth_clear:fx_cleardepth* stencil_clear:fx_clearstencil*
                            draw:string?
                        }? extra*
                    }+ extra*
                }+ extra*
            glsl_newarray'4(length!:positiveInteger) = (%glsl_value | array:glsl_newarray)*
            glsl_setarray'4(length:positiveInteger) = (%glsl_value | array:glsl_setarray)*
            glsl_surface'4(type!:fx_surface_kind) = (
                    %fx_surface_init? format:token? format_hint:fx_surface_format_hint?
                    (size:long[3]="0 0 0" | viewport_ratio:double[2]="1 1")? mip_levels:unsignedInt=0?
                    mipmap_generate:boolean? extra*
                ) generator{
                    annotate:fx_annotate* (code:fx_code | include:fx_include)+ name(source:NCName):NCName
                    setparam:glsl_setparam_simple*
                }?
            glsl_newparam(sid!:token'4 sid!:NCName'5) = annotate:fx_annotate* semantic:NCName? modifier:fx_modifier?
                (%glsl_value | array:glsl_newarray)'4 %glsl_value'5
            glsl_setparam_simple'4(ref!:token) = annotate:fx_annotate* %glsl_value
            glsl_setparam'4(ref!:token program:NCName) = annotate:fx_annotate* (%glsl_value | array:glsl_setarray)
            glsl_array'5(length!:positiveInteger) = %glsl_value+
            glsl_shader'5(stage!:fx_pipeline_stage) = sources:fx_sources extra*
            glsl_program'5 = shader:glsl_shader* bind_attribute(symbol!:token){semantic:token}*
                bind_uniform(symbol!:token){param(ref!:NCName) | %glsl_value}*
            """)
}

// Elements of the GLES2 profile (1.5).

extension ElementFamily {
    static let gles2 = ElementFamily(
        name: "gles2",
        grammar: """
            %gles2_pipeline_settings'5 =
                blend_color(value:double[4]="0 0 0 0" param:token)
                | blend_equation(value:gl_blend_equation=FUNC_ADD param:token)
                | blend_equation_separate{
                    rgb(value:gl_blend_equation=FUNC_ADD param:token) alpha(value:gl_blend_equation=FUNC_ADD
                    param:token)
                }
                | blend_func{src(value:gl_blend=ONE param:token) dest(value:gl_blend=ZERO param:token)}
                | blend_func_separate{
                    src_rgb(value:gl_blend=ONE param:token) dest_rgb(value:gl_blend=ZERO param:token)
                    src_alpha(value:gl_blend=ONE param:token) dest_alpha(value:gl_blend=ZERO param:token)
                }
                | color_mask(value:boolean[4]="true true true true" param:token)
                | cull_face(value:gl_face=BACK param:token)
                | depth_func(value:gl_func=ALWAYS param:token)
                | depth_mask(value:boolean=true param:token)
                | depth_range(value:double[2]="0 1" param:token)
                | front_face(value:gl_front_face=CCW param:token)
                | line_width(value:double=1 param:token)
                | polygon_offset(value:double[2]="0 0" param:token)
                | point_size(value:double=1 param:token)
                | sample_coverage{value(value:float param:token) invert(value:boolean param:token)}
                | scissor(value:long[4] param:token)
                | stencil_func{
                    func(value:gl_func=ALWAYS param:token) ref(value:unsignedByte=0 param:token)
                    mask(value:unsignedByte=255 param:token)
                }
                | stencil_func_separate{
                    front(value:gl_func=ALWAYS param:token) back(value:gl_func=ALWAYS param:token)
                    ref(value:unsignedByte=0 param:token) mask(value:unsignedByte=255 param:token)
                }
                | stencil_mask(value:long=4294967295 param:token)
                | stencil_mask_separate{
                    face(value:gl_face=FRONT_AND_BACK param:token) mask(value:unsignedByte=255 param:token)
                }
                | stencil_op{
                    fail(value:gl_stencil_op=KEEP param:token) zfail(value:gl_stencil_op=KEEP param:token)
                    zpass(value:gl_stencil_op=KEEP param:token)
                }
                | stencil_op_separate{
                    face(value:gl_face=FRONT_AND_BACK param:token) fail(value:gl_stencil_op=KEEP param:token)
                    zfail(value:gl_stencil_op=KEEP param:token) zpass(value:gl_stencil_op=KEEP param:token)
                }
                | blend_enable(value:boolean=false param:token)
                | cull_face_enable(value:boolean=false param:token)
                | depth_test_enable(value:boolean=false param:token)
                | dither_enable(value:boolean=true param:token)
                | polygon_offset_fill_enable(value:boolean=false param:token)
                | point_size_enable(value:boolean=false param:token)
                | sample_alpha_to_coverage_enable(value:boolean=false param:token)
                | sample_coverage_enable(value:boolean=false param:token)
                | scissor_test_enable(value:boolean=false param:token)
                | stencil_test_enable(value:boolean=false param:token)
            %gles2_value'5 = bool:boolean | bvec2:boolean[2] | bvec3:boolean[3] | bvec4:boolean[4] | float:double
                | vec2:double[2] | vec3:double[3] | vec4:double[4] | mat2:double[4] | mat3:double[9] | mat4:double[16]
                | int:long | ivec2:long[2] | ivec3:long[3] | ivec4:long[4] | enum:gl_enumeration
                | sampler2D:fx_sampler2D | sampler3D:fx_sampler3D | samplerCUBE:fx_samplerCUBE
                | samplerDEPTH:fx_samplerDEPTH | usertype(typename!:token){setparam(ref!:token){%gles2_value*}*}
                | array(length!:positiveInteger){%gles2_value+}
            gles2_newparam'5(sid!:NCName) = annotate:fx_annotate* semantic:NCName? modifier:fx_modifier? %gles2_value
            gles2_shader'5(stage!:fx_pipeline_stage) = sources(entry:token=main){(inline:string | import(ref!:token))*}
                compiler:fx_target* extra*
            gles2_program'5 = shader:gles2_shader* linker:fx_target* bind_attribute(symbol!:token){semantic:token}*
                bind_uniform(symbol!:token){param(ref!:NCName) | %gles2_value}*
            gles2_pass'5(sid:NCName) = annotate:fx_annotate* states{%gles2_pipeline_settings*}? program:gles2_program?
                evaluate{
                    color_target:fx_colortarget* depth_target:fx_depthtarget* stencil_target:fx_stenciltarget*
                    color_clear:fx_clearcolor* stencil_clear:fx_clearstencil* depth_clear:fx_cleardepth* draw:string?
                }? extra*
            profile_GLES2'5(id:ID language!:NCName platforms:Name[]) = asset? (include:fx_include | code:fx_code)*
                newparam(sid!:NCName){annotate:fx_annotate* semantic:NCName? modifier:fx_modifier? %gles2_value}*
                technique(id:ID sid!:NCName){asset? annotate:fx_annotate* pass:gles2_pass+ extra*}+ extra*
            """)
}
