// Elements of materials, effects, their parameters, and the common profile.

extension ElementFamily {
    static let effects = ElementFamily(
        name: "effects",
        grammar: """
            type fx_modifier = NMTOKEN enum CONST UNIFORM VARYING STATIC VOLATILE EXTERN SHARED
            type fx_opaque'4 = string enum A_ONE RGB_ZERO
            type fx_opaque'5 = string enum A_ONE A_ZERO RGB_ONE RGB_ZERO
            type fx_pipeline_stage'5 = string enum TESSELLATION VERTEX GEOMETRY FRAGMENT
            %fx_annotation = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float2x2:double[4] | float3x3:double[9] | float4x4:double[16] | string:string
            %fx_value'4 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float1x1:double | float1x2:double[2] | float1x3:double[3] | float1x4:double[4]
                | float2x1:double[2] | float2x2:double[4] | float2x3:double[6] | float2x4:double[8] | float3x1:double[3]
                | float3x2:double[6] | float3x3:double[9] | float3x4:double[12] | float4x1:double[4]
                | float4x2:double[8] | float4x3:double[12] | float4x4:double[16] | surface:fx_surface
                | sampler1D:fx_sampler1D | sampler2D:fx_sampler2D | sampler3D:fx_sampler3D | samplerCUBE:fx_samplerCUBE
                | samplerRECT:fx_samplerRECT | samplerDEPTH:fx_samplerDEPTH | enum:string
            %fx_setparam_value'5 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float2x1:double[2] | float2x2:double[4] | float2x3:double[6] | float2x4:double[8]
                | float3x1:double[3] | float3x2:double[6] | float3x3:double[9] | float3x4:double[12]
                | float4x1:double[4] | float4x2:double[8] | float4x3:double[12] | float4x4:double[16] | enum:string
                | sampler_image:instance_image | sampler_states{%fx_sampler_states}
            %fx_newparam_value'5 = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float2x1:double[2] | float2x2:double[4] | float2x3:double[6] | float2x4:double[8]
                | float3x1:double[3] | float3x2:double[6] | float3x3:double[9] | float3x4:double[12]
                | float4x1:double[4] | float4x2:double[8] | float4x3:double[12] | float4x4:double[16]
                | sampler1D:fx_sampler1D | sampler2D:fx_sampler2D | sampler3D:fx_sampler3D | samplerCUBE:fx_samplerCUBE
                | samplerRECT:fx_samplerRECT | samplerDEPTH:fx_samplerDEPTH | enum:string
            %fx_profile'5 = profile_COMMON | profile_BRIDGE | profile_GLES2 | profile_GLSL | profile_CG | profile_GLES
            material(id:ID name:name) = asset? instance_effect extra*
            bind_material = param* technique_common{instance_material+} technique* extra*
            instance_effect(url!:anyURI sid:NCName name:name) = technique_hint(platform:NCName profile:NCName
                ref!:NCName)* setparam(ref!:token){%fx_value'4 %fx_setparam_value'5}* extra*
            instance_material(symbol!:NCName target!:anyURI sid:NCName name:name) = bind(semantic!:NCName
                target!:token)* bind_vertex_input(semantic!:NCName input_semantic!:NCName input_set:unsignedLong)*
                extra*
            library_effects(id:ID name:name) = asset? effect+ extra*
            library_materials(id:ID name:name) = asset? material+ extra*
            effect(id!:ID name:name) = asset? annotate:fx_annotate* image*'4 newparam:fx_newparam*
                (profile_GLSL | profile_COMMON | profile_CG | profile_GLES)+'4 %fx_profile+'5 extra*
            profile_COMMON(id:ID) = asset? (image | newparam:common_newparam)*'4 newparam:common_newparam*'5
                technique(id:ID sid!:NCName){
                    asset? (image | newparam:common_newparam)*'4 (constant | lambert | phong | blinn) extra*
                } extra*
            constant = emission:common_color_or_texture? reflective:common_color_or_texture?
                reflectivity:common_float_or_param? transparent:common_transparent? transparency:common_float_or_param?
                index_of_refraction:common_float_or_param?
            lambert = emission:common_color_or_texture? ambient:common_color_or_texture?
                diffuse:common_color_or_texture? reflective:common_color_or_texture? reflectivity:common_float_or_param?
                transparent:common_transparent? transparency:common_float_or_param?
                index_of_refraction:common_float_or_param?
            phong = emission:common_color_or_texture? ambient:common_color_or_texture? diffuse:common_color_or_texture?
                specular:common_color_or_texture? shininess:common_float_or_param? reflective:common_color_or_texture?
                reflectivity:common_float_or_param? transparent:common_transparent? transparency:common_float_or_param?
                index_of_refraction:common_float_or_param?
            blinn = emission:common_color_or_texture? ambient:common_color_or_texture? diffuse:common_color_or_texture?
                specular:common_color_or_texture? shininess:common_float_or_param? reflective:common_color_or_texture?
                reflectivity:common_float_or_param? transparent:common_transparent? transparency:common_float_or_param?
                index_of_refraction:common_float_or_param?
            fx_colortarget'4(index:nonNegativeInteger=0 face:image_face=POSITIVE_X mip:nonNegativeInteger=0
                slice:nonNegativeInteger=0) : NCName
            fx_colortarget'5(index:nonNegativeInteger=0 mip:nonNegativeInteger=0 face:image_face=POSITIVE_X
                slice:nonNegativeInteger=0)
                = param(ref!:token) | instance_image
            fx_depthtarget'4(index:nonNegativeInteger=0 face:image_face=POSITIVE_X mip:nonNegativeInteger=0
                slice:nonNegativeInteger=0) : NCName
            fx_depthtarget'5(index:nonNegativeInteger=0 mip:nonNegativeInteger=0 face:image_face=POSITIVE_X
                slice:nonNegativeInteger=0)
                = param(ref!:token) | instance_image
            fx_stenciltarget'4(index:nonNegativeInteger=0 face:image_face=POSITIVE_X mip:nonNegativeInteger=0
                slice:nonNegativeInteger=0) : NCName
            fx_stenciltarget'5(index:nonNegativeInteger=0 mip:nonNegativeInteger=0 face:image_face=POSITIVE_X
                slice:nonNegativeInteger=0)
                = param(ref!:token) | instance_image
            fx_clearcolor(index:nonNegativeInteger=0) : double[4]
            fx_cleardepth(index:nonNegativeInteger=0) : double
            fx_clearstencil(index:nonNegativeInteger=0) : byte
            fx_annotate(name!:name) = %fx_annotation
            fx_include(sid!:NCName url!:anyURI)
            fx_newparam(sid!:NCName) = annotate:fx_annotate* semantic:NCName? modifier:fx_modifier? %fx_value'4
                %fx_newparam_value'5
            fx_code(sid:NCName) : string
            common_float_or_param = float(sid:NCName):double | param(ref!:NCName)
            common_color_or_texture = color(sid:NCName):double[4] | param(ref!:NCName)
                | texture(texture!:NCName texcoord!:NCName){extra?'4 extra*'5}
            common_transparent(opaque:fx_opaque=A_ONE) = color(sid:NCName):double[4] | param(ref!:NCName)
                | texture(texture!:NCName texcoord!:NCName){extra?'4 extra*'5}
            common_newparam(sid!:NCName) = semantic:NCName? (
                    float:double | float2:double[2] | float3:double[3] | float4:double[4] | surface:fx_surface'4
                    | sampler2D:fx_sampler2D
                )
            fx_rendertarget'5(index:nonNegativeInteger=0 mip:nonNegativeInteger=0 face:image_face=POSITIVE_X
                slice:nonNegativeInteger=0)
                = param(ref!:token) | instance_image
            fx_sources'5 = (inline:string | import(ref!:token))*
            fx_target'5(platform!:string target:string options:string) = binary{ref:anyURI
                | hex(format:token):hexBinary[]}?
            profile_BRIDGE'5(id:ID platform:NCName url!:anyURI) = asset? extra*
            """,
        units: [.effect, .material],
        texts: [.float, .float2, .float3, .float4, .color])
}
