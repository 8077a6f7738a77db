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
        texts: [.float, .float2, .float3, .float4, .color],
        profiles: [.profileGlsl, .profileCg, .profileGles, .profileGles2, .profileBridge])
}

// Elements of images, surfaces and samplers.

extension ElementFamily {
    static let images = ElementFamily(
        name: "images",
        grammar: """
            type fx_surface_format_hint_channels'4 = string enum RGB RGBA L LA D XYZ XYZW
            type fx_surface_format_hint_range'4 = string enum SNORM UNORM SINT UINT FLOAT
            type fx_surface_format_hint_precision'4 = string enum LOW MID HIGH
            type fx_surface_format_hint_option'4 = string enum SRGB_GAMMA NORMALIZED3 NORMALIZED4 COMPRESSABLE
            type image_face = string enum POSITIVE_X NEGATIVE_X POSITIVE_Y NEGATIVE_Y POSITIVE_Z NEGATIVE_Z
            type fx_surface_kind'4 = string enum UNTYPED 1D 2D 3D RECT CUBE DEPTH
            type fx_wrap'4 = NMTOKEN enum NONE WRAP MIRROR CLAMP BORDER
            type fx_wrap'5 = NMTOKEN enum WRAP CLAMP BORDER MIRROR MIRROR_ONCE
            type fx_filter'4 = NMTOKEN enum NONE NEAREST LINEAR NEAREST_MIPMAP_NEAREST LINEAR_MIPMAP_NEAREST
                NEAREST_MIPMAP_LINEAR LINEAR_MIPMAP_LINEAR
            type image_format_hint_channels'5 = string enum RGB RGBA RGBE L LA D
            type image_format_hint_range'5 = string enum SNORM UNORM SINT UINT FLOAT
            type image_format_hint_precision'5 = string enum DEFAULT LOW MID HIGH MAX
            type fx_min_filter'5 = NMTOKEN enum NEAREST LINEAR ANISOTROPIC
            type fx_mag_filter'5 = NMTOKEN enum NEAREST LINEAR
            type fx_mip_filter'5 = NMTOKEN enum NONE NEAREST LINEAR
            %fx_surface_init'4 = init_as_null:anyType | init_as_target:anyType | init_cube:fx_surface_init_cube
                | init_volume:fx_surface_init_volume | init_planar:fx_surface_init_planar
                | init_from:fx_surface_init_from+
            %fx_sampler_states'5 = wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_min_filter=LINEAR? magfilter:fx_mag_filter=LINEAR? mipfilter:fx_mip_filter=LINEAR?
                border_color:double[4]? mip_max_level:unsignedByte=0? mip_min_level:unsignedByte=0? mip_bias:float=0.0?
                max_anisotropy:unsignedInt=1? extra*
            image'4(id:ID name:NCName format:token height:unsignedLong width:unsignedLong depth:unsignedLong=1) = asset?
                (data:hexBinary[] | init_from:anyURI) extra*
            image'5(id:ID sid:NCName name:token) = asset? renderable(share!:boolean)? (
                    init_from(mips_generate:boolean=true){ref:anyURI | hex(format!:token):hexBinary[]} | create_2d{
                        (size_exact(width!:unsignedInt height!:unsignedInt) | size_ratio(width!:float height!:float))
                        (mips:image_mips | unnormalized:anyType) array(length!:positiveInteger)? format{
                            hint(channels!:image_format_hint_channels range!:image_format_hint_range
                                precision:image_format_hint_precision=DEFAULT space:token)
                            exact:token?
                        }? init_from(mip_index!:unsignedInt array_index:unsignedInt=0){
                            ref:anyURI | hex(format!:token):hexBinary[]
                        }*
                    } | create_3d{
                        size(width!:unsignedInt height!:unsignedInt depth!:unsignedInt) mips:image_mips
                        array(length!:unsignedInt)? format{
                            hint(channels!:image_format_hint_channels range!:image_format_hint_range
                                precision:image_format_hint_precision=DEFAULT space:token)
                            exact:token?
                        }? init_from(depth!:unsignedInt mip_index!:unsignedInt array_index:unsignedInt=0){
                            ref:anyURI | hex(format!:token):hexBinary[]
                        }*
                    } | create_cube{
                        size(width!:unsignedInt) mips:image_mips array(length!:unsignedInt)? format{
                            hint(channels!:image_format_hint_channels range!:image_format_hint_range
                                precision:image_format_hint_precision=DEFAULT space:token)
                            exact:token?
                        }? init_from(face!:image_face mip_index!:unsignedInt array_index:unsignedInt=0){
                            ref:anyURI | hex(format!:token):hexBinary[]
                        }*
                    }
                )? extra*
            library_images(id:ID name:name) = asset? image+ extra*
            fx_surface_format_hint'4 = channels:fx_surface_format_hint_channels range:fx_surface_format_hint_range
                precision:fx_surface_format_hint_precision? option:fx_surface_format_hint_option* extra*
            fx_surface_init_planar'4 = all(ref!:IDREF)
            fx_surface_init_volume'4 = all(ref!:IDREF) | primary(ref!:IDREF)
            fx_surface_init_cube'4 = all(ref!:IDREF) | primary(ref!:IDREF){(order:image_face{6})?} | face(ref!:IDREF){6}
            fx_surface_init_from'4(mip:unsignedInt=0 slice:unsignedInt=0 face:image_face=POSITIVE_X) : IDREF
            fx_surface'4(type!:fx_surface_kind) = %fx_surface_init? format:token? format_hint:fx_surface_format_hint?
                (size:long[3]="0 0 0" | viewport_ratio:double[2]="1 1")? mip_levels:unsignedInt=0?
                mipmap_generate:boolean? extra*
            fx_sampler1D'4 = source:NCName wrap_s:fx_wrap=WRAP? minfilter:fx_filter=NONE? magfilter:fx_filter=NONE?
                mipfilter:fx_filter=NONE? border_color:double[4]? mipmap_maxlevel:unsignedByte=0? mipmap_bias:float=0.0?
                extra*
            fx_sampler1D'5 = lost instance_image? %fx_sampler_states
            fx_sampler2D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            fx_sampler2D'5 = lost instance_image? %fx_sampler_states
            fx_sampler3D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            fx_sampler3D'5 = lost instance_image? %fx_sampler_states
            fx_samplerCUBE'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            fx_samplerCUBE'5 = lost instance_image? %fx_sampler_states
            fx_samplerRECT'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            fx_samplerRECT'5 = lost instance_image? %fx_sampler_states
            fx_samplerDEPTH'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? extra*
            fx_samplerDEPTH'5 = lost instance_image? %fx_sampler_states
            image_source'5 = ref:anyURI | hex(format!:token):hexBinary[]
            image_mips'5(levels!:unsignedInt auto_generate!:boolean)
            instance_image'5(url!:anyURI sid:NCName name:token) = lost extra*
            fx_sampler'5 = instance_image? %fx_sampler_states
            """,
        units: [.image],
        texts: [
            .wrapS, .wrapT, .wrapP, .minfilter, .magfilter, .mipfilter, .borderColor, .maxAnisotropy, .mipBias,
            .mipmapBias, .mipMinLevel, .mipMaxLevel, .mipmapMaxlevel, .initFrom, .ref,
        ],
        hexes: [.hex, .data])
}
