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
