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
