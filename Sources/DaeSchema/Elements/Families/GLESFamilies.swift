// Elements of the GLES profile.

extension ElementFamily {
    static let gles = ElementFamily(
        name: "gles",
        grammar: """
            type gles_texenv_mode = token enum REPLACE MODULATE DECAL BLEND ADD
            type gles_combiner_source = token enum TEXTURE CONSTANT PRIMARY PREVIOUS
            type gles_operand_rgb = gl_blend enum SRC_COLOR ONE_MINUS_SRC_COLOR SRC_ALPHA ONE_MINUS_SRC_ALPHA
            type gles_operand_alpha = gl_blend enum SRC_ALPHA ONE_MINUS_SRC_ALPHA
            type gles_operator_rgb = token enum REPLACE MODULATE ADD ADD_SIGNED INTERPOLATE SUBTRACT DOT3_RGB DOT3_RGBA
            type gles_operator_alpha = token enum REPLACE MODULATE ADD ADD_SIGNED INTERPOLATE SUBTRACT
            type gles_wrap = NMTOKEN enum REPEAT CLAMP CLAMP_TO_EDGE MIRRORED_REPEAT
            type gles_clip_plane_index = nonNegativeInteger 0..<5
            type gles_light_index = nonNegativeInteger 0..<7
            type gles_stencil_op = string enum KEEP ZERO REPLACE INCR DECR INVERT
            type gles_enumeration = union gl_blend gl_face gl_func gl_stencil_op gl_material gl_fog gl_front_face
                gl_light_model_color_control gl_logic_op gl_polygon_mode gl_shade_model
            %gles_pipeline_settings =
                alpha_func{func(value:gl_func=ALWAYS param:NCName) value(value:gl_alpha_value=0.0 param:NCName)}
                | blend_func{src(value:gl_blend=ONE param:NCName) dest(value:gl_blend=ZERO param:NCName)}
                | clear_color(value:double[4] param:NCName)'4
                | clear_stencil(value:long param:NCName)'4
                | clear_depth(value:double param:NCName)'4
                | clip_plane(value:boolean[4] param:NCName index!:gles_clip_plane_index)
                | color_mask(value:boolean[4] param:NCName)
                | cull_face(value:gl_face=BACK param:NCName)
                | depth_func(value:gl_func=ALWAYS param:NCName)
                | depth_mask(value:boolean=false param:NCName)
                | depth_range(value:double[2]="0 1" param:NCName)
                | fog_color(value:double[4]="0 0 0 0" param:NCName)
                | fog_density(value:double=1 param:NCName)
                | fog_mode(value:gl_fog=EXP param:NCName)
                | fog_start(value:double=0 param:NCName)
                | fog_end(value:double=1 param:NCName)
                | front_face(value:gl_front_face=CCW param:NCName)
                | texture_pipeline(param:NCName'4){value:gles_texture_pipeline?}
                | logic_op(value:gl_logic_op=COPY param:NCName)
                | light_ambient(value:double[4]="0 0 0 1" param:NCName index!:gles_light_index)
                | light_diffuse(value:double[4]="0 0 0 0" param:NCName index!:gles_light_index)
                | light_specular(value:double[4]="0 0 0 0" param:NCName index!:gles_light_index)
                | light_position(value:double[4]="0 0 1 0" param:NCName index!:gles_light_index)
                | light_constant_attenuation(value:double=1 param:NCName index!:gles_light_index)
                | light_linear_attenutation(value:double=1 param:NCName index!:gles_light_index)'4
                | light_quadratic_attenuation(value:double=1 param:NCName index!:gles_light_index)
                | light_spot_cutoff(value:double=180 param:NCName index!:gles_light_index)
                | light_spot_direction(value:double[3]="0 0 -1" param:NCName index!:gles_light_index)
                | light_spot_exponent(value:double=0 param:NCName index!:gles_light_index)
                | light_model_ambient(value:double[4]="0.2 0.2 0.2 1.0" param:NCName)
                | line_width(value:double=1 param:NCName)
                | material_ambient(value:double[4]="0.2 0.2 0.2 1.0" param:NCName)
                | material_diffuse(value:double[4]="0.8 0.8 0.8 1.0" param:NCName)
                | material_emission(value:double[4]="0 0 0 1" param:NCName)
                | material_shininess(value:double=0 param:NCName)
                | material_specular(value:double[4]="0 0 0 1" param:NCName)
                | model_view_matrix(value:double[16]="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1" param:NCName)
                | point_distance_attenuation(value:double[3]="1 0 0" param:NCName)
                | point_fade_threshold_size(value:double=1 param:NCName)
                | point_size(value:double=1 param:NCName)
                | point_size_min(value:double=0 param:NCName)
                | point_size_max(value:double=1 param:NCName)
                | polygon_offset(value:double[2]="0 0" param:NCName)
                | projection_matrix(value:double[16]="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1" param:NCName)
                | scissor(value:long[4] param:NCName)
                | shade_model(value:gl_shade_model=SMOOTH param:NCName)
                | stencil_func{
                    func(value:gl_func=ALWAYS param:NCName) ref(value:unsignedByte=0 param:NCName)
                    mask(value:unsignedByte=255 param:NCName)
                }
                | stencil_mask(value:long=4294967295 param:NCName)
                | stencil_op{
                    fail(value:gles_stencil_op=KEEP param:NCName) zfail(value:gles_stencil_op=KEEP param:NCName)
                    zpass(value:gles_stencil_op=KEEP param:NCName)
                }
                | alpha_test_enable(value:boolean=false param:NCName)
                | blend_enable(value:boolean=false param:NCName)
                | clip_plane_enable(value:boolean=false param:NCName index:gles_clip_plane_index)
                | color_logic_op_enable(value:boolean=false param:NCName)
                | color_material_enable(value:boolean=true param:NCName)
                | cull_face_enable(value:boolean=false param:NCName)
                | depth_test_enable(value:boolean=false param:NCName)
                | dither_enable(value:boolean=false param:NCName)
                | fog_enable(value:boolean=false param:NCName)
                | texture_pipeline_enable(value:boolean=false param:NCName)'4
                | light_enable(value:boolean=false param:NCName index!:gles_light_index)
                | lighting_enable(value:boolean=false param:NCName)
                | light_model_two_side_enable(value:boolean=false param:NCName)
                | line_smooth_enable(value:boolean=false param:NCName)
                | multisample_enable(value:boolean=false param:NCName)
                | normalize_enable(value:boolean=false param:NCName)
                | point_smooth_enable(value:boolean=false param:NCName)
                | polygon_offset_fill_enable(value:boolean=false param:NCName)
                | rescale_normal_enable(value:boolean=false param:NCName)
                | sample_alpha_to_coverage_enable(value:boolean=false param:NCName)
                | sample_alpha_to_one_enable(value:boolean=false param:NCName)
                | sample_coverage_enable(value:boolean=false param:NCName)
                | scissor_test_enable(value:boolean=false param:NCName)
                | stencil_test_enable(value:boolean=false param:NCName)
                | light_linear_attenuation(value:double=1 param:NCName index!:gles_light_index)'5
            %gles_value = bool:boolean | bool2:boolean[2] | bool3:boolean[3] | bool4:boolean[4] | int:long
                | int2:long[2] | int3:long[3] | int4:long[4] | float:double | float2:double[2] | float3:double[3]
                | float4:double[4] | float1x1:double | float1x2:double[2] | float1x3:double[3] | float1x4:double[4]
                | float2x1:double[2] | float2x2:double[4] | float2x3:double[6] | float2x4:double[8] | float3x1:double[3]
                | float3x2:double[6] | float3x3:double[9] | float3x4:double[12] | float4x1:double[4]
                | float4x2:double[8] | float4x3:double[12] | float4x4:double[16] | surface:fx_surface'4
                | texture_pipeline:gles_texture_pipeline'4 | sampler_state:gles_sampler_state'4
                | texture_unit:gles_texture_unit'4 | enum:gles_enumeration | sampler2D:gles_sampler'5
            %gles_sampler_states'5 = wrap_s:gles_wrap=REPEAT? wrap_t:gles_wrap=REPEAT? minfilter:fx_min_filter=LINEAR?
                magfilter:fx_mag_filter=LINEAR? mipfilter:fx_mip_filter=NEAREST? mip_max_level:unsignedByte=255?
                mip_bias:float=0.0? extra*
            profile_GLES'4(id:ID platform:NCName=PC) = asset? (image | newparam:gles_newparam)*
                technique(id:ID sid!:NCName){
                    asset? annotate:fx_annotate*
                    (image | newparam:gles_newparam | setparam(ref!:NCName){annotate:fx_annotate* %gles_value})*
                    pass(sid:NCName){
                        annotate:fx_annotate* color_target:NCName? depth_target:NCName? stencil_target:NCName?
                        color_clear:double[4]? depth_clear:double? stencil_clear:byte? draw:string?
                        %gles_pipeline_settings* extra*
                    }+ extra*
                }+ extra*
            profile_GLES'5(id:ID platform:NCName=PC) = asset? newparam:gles_newparam* technique(id:ID sid!:NCName){
                    asset? annotate:fx_annotate* pass(sid:NCName){
                        annotate:fx_annotate* states{%gles_pipeline_settings*}? evaluate{
                            color_target:fx_colortarget* depth_target:fx_depthtarget* stencil_target:fx_stenciltarget*
                            color_clear:fx_clearcolor* depth_clear:fx_cleardepth* stencil_clear:fx_clearstencil*
                            draw:string?
                        }? extra*
                    }+ extra*
                }+ extra*
            gles_texture_constant(value:double[4] param:NCName)
            gles_texenv_command(operator:gles_texenv_mode unit:NCName'4 sampler:NCName'5)
                = constant:gles_texture_constant?
            gles_argument_rgb(source:gles_combiner_source operand:gles_operand_rgb=SRC_COLOR unit:NCName'4
                sampler:NCName'5)
            gles_argument_alpha(source:gles_combiner_source operand:gles_operand_alpha=SRC_ALPHA unit:NCName'4
                sampler:NCName'5)
            gles_command_rgb(operator:gles_operator_rgb scale:float) = argument:gles_argument_rgb{1,3}
            gles_command_alpha(operator:gles_operator_alpha scale:float) = argument:gles_argument_alpha{1,3}
            gles_texcombiner_command = constant:gles_texture_constant? RGB:gles_command_rgb? alpha:gles_command_alpha?
            gles_texture_pipeline(sid:NCName) = (texcombiner:gles_texcombiner_command | texenv:gles_texenv_command
                | extra)+
            gles_texture_unit'4(sid:NCName) = surface:NCName? sampler_state:NCName? texcoord(semantic:NCName)? extra*
            gles_sampler_state'4(sid:NCName) = wrap_s:gles_wrap=REPEAT? wrap_t:gles_wrap=REPEAT?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            gles_newparam(sid!:NCName) = annotate:fx_annotate* semantic:NCName? modifier:fx_modifier? %gles_value
            gles_sampler'5 = instance_image? texcoord(semantic:NCName)? %gles_sampler_states
            """)
}

// Elements of the states of OpenGL that a pass may set.

extension ElementFamily {
    static let states = ElementFamily(
        name: "states",
        grammar: """
            type gl_blend = string enum ZERO ONE SRC_COLOR ONE_MINUS_SRC_COLOR DEST_COLOR ONE_MINUS_DEST_COLOR SRC_ALPHA
                ONE_MINUS_SRC_ALPHA DST_ALPHA ONE_MINUS_DST_ALPHA CONSTANT_COLOR ONE_MINUS_CONSTANT_COLOR CONSTANT_ALPHA
                ONE_MINUS_CONSTANT_ALPHA SRC_ALPHA_SATURATE
            type gl_func = string enum NEVER LESS LEQUAL EQUAL GREATER NOTEQUAL GEQUAL ALWAYS
            type gl_alpha_value = float 0.0..1.0
            type gl_blend_equation = string enum FUNC_ADD FUNC_SUBTRACT FUNC_REVERSE_SUBTRACT MIN MAX
            type gl_face = string enum FRONT BACK FRONT_AND_BACK
            type gl_material = string enum EMISSION AMBIENT DIFFUSE SPECULAR AMBIENT_AND_DIFFUSE
            type gl_fog = string enum LINEAR EXP EXP2
            type gl_fog_coord_src = string enum FOG_COORDINATE FRAGMENT_DEPTH
            type gl_front_face = string enum CW CCW
            type gl_light_model_color_control = string enum SINGLE_COLOR SEPARATE_SPECULAR_COLOR
            type gl_logic_op = string enum CLEAR AND AND_REVERSE COPY AND_INVERTED NOOP XOR OR NOR EQUIV INVERT
                OR_REVERSE COPY_INVERTED NAND SET
            type gl_polygon_mode = string enum POINT LINE FILL
            type gl_shade_model = string enum FLAT SMOOTH
            type gl_stencil_op = string enum KEEP ZERO REPLACE INCR DECR INVERT INCR_WRAP DECR_WRAP
            type gl_light_index = nonNegativeInteger 0..
            type gl_texture_index = nonNegativeInteger 0..
            type gl_clip_plane_index = nonNegativeInteger 0..
            type gl_enumeration = union gl_blend gl_face gl_blend_equation gl_func gl_stencil_op gl_material gl_fog
                gl_fog_coord_src gl_front_face gl_light_model_color_control gl_logic_op gl_polygon_mode gl_shade_model
            %gl_pipeline_settings =
                alpha_func{func(value:gl_func=ALWAYS param:NCName) value(value:gl_alpha_value=0.0 param:NCName)}
                | blend_func{src(value:gl_blend=ONE param:NCName) dest(value:gl_blend=ZERO param:NCName)}
                | blend_func_separate{
                    src_rgb(value:gl_blend=ONE param:NCName) dest_rgb(value:gl_blend=ZERO param:NCName)
                    src_alpha(value:gl_blend=ONE param:NCName) dest_alpha(value:gl_blend=ZERO param:NCName)
                }
                | blend_equation(value:gl_blend_equation=FUNC_ADD param:NCName)
                | blend_equation_separate{
                    rgb(value:gl_blend_equation=FUNC_ADD param:NCName) alpha(value:gl_blend_equation=FUNC_ADD
                    param:NCName)
                }
                | color_material{
                    face(value:gl_face=FRONT_AND_BACK param:NCName) mode(value:gl_material=AMBIENT_AND_DIFFUSE
                    param:NCName)
                }
                | cull_face(value:gl_face=BACK param:NCName)
                | depth_func(value:gl_func=ALWAYS param:NCName)
                | fog_mode(value:gl_fog=EXP param:NCName)
                | fog_coord_src(value:gl_fog_coord_src=FOG_COORDINATE param:NCName)
                | front_face(value:gl_front_face=CCW param:NCName)
                | light_model_color_control(value:gl_light_model_color_control=SINGLE_COLOR param:NCName)
                | logic_op(value:gl_logic_op=COPY param:NCName)
                | polygon_mode{
                    face(value:gl_face=FRONT_AND_BACK param:NCName) mode(value:gl_polygon_mode=FILL param:NCName)
                }
                | shade_model(value:gl_shade_model=SMOOTH param:NCName)
                | stencil_func{
                    func(value:gl_func=ALWAYS param:NCName) ref(value:unsignedByte=0 param:NCName)
                    mask(value:unsignedByte=255 param:NCName)
                }
                | stencil_op{
                    fail(value:gl_stencil_op=KEEP param:NCName) zfail(value:gl_stencil_op=KEEP param:NCName)
                    zpass(value:gl_stencil_op=KEEP param:NCName)
                }
                | stencil_func_separate{
                    front(value:gl_func=ALWAYS param:NCName) back(value:gl_func=ALWAYS param:NCName)
                    ref(value:unsignedByte=0 param:NCName) mask(value:unsignedByte=255 param:NCName)
                }
                | stencil_op_separate{
                    face(value:gl_face=FRONT_AND_BACK param:NCName) fail(value:gl_stencil_op=KEEP param:NCName)
                    zfail(value:gl_stencil_op=KEEP param:NCName) zpass(value:gl_stencil_op=KEEP param:NCName)
                }
                | stencil_mask_separate{
                    face(value:gl_face=FRONT_AND_BACK param:NCName) mask(value:unsignedByte=255 param:NCName)
                }
                | light_enable(value:boolean=false param:NCName index!:gl_light_index)
                | light_ambient(value:double[4]="0 0 0 1" param:NCName index!:gl_light_index)
                | light_diffuse(value:double[4]="0 0 0 0" param:NCName index!:gl_light_index)
                | light_specular(value:double[4]="0 0 0 0" param:NCName index!:gl_light_index)
                | light_position(value:double[4]="0 0 1 0" param:NCName index!:gl_light_index)
                | light_constant_attenuation(value:double=1 param:NCName index!:gl_light_index)
                | light_linear_attenuation(value:double=0 param:NCName index!:gl_light_index)
                | light_quadratic_attenuation(value:double=0 param:NCName index!:gl_light_index)
                | light_spot_cutoff(value:double=180 param:NCName index!:gl_light_index)
                | light_spot_direction(value:double[3]="0 0 -1" param:NCName index!:gl_light_index)
                | light_spot_exponent(value:double=0 param:NCName index!:gl_light_index)
                | texture1D(index!:gl_texture_index){(value:gl_sampler1D'4 | value:fx_sampler1D'5 | param:NCName)}
                | texture2D(index!:gl_texture_index){(value:gl_sampler2D'4 | value:fx_sampler2D'5 | param:NCName)}
                | texture3D(index!:gl_texture_index){(value:gl_sampler3D'4 | value:fx_sampler3D'5 | param:NCName)}
                | textureCUBE(index!:gl_texture_index){(value:gl_samplerCUBE'4 | value:fx_samplerCUBE'5 | param:NCName)}
                | textureRECT(index!:gl_texture_index){(value:gl_samplerRECT'4 | value:fx_samplerRECT'5 | param:NCName)}
                | textureDEPTH(index!:gl_texture_index){(value:gl_samplerDEPTH'4 | value:fx_samplerDEPTH'5
                | param:NCName)} | texture1D_enable(value:boolean=false param:NCName index:gl_texture_index)
                | texture2D_enable(value:boolean=false param:NCName index:gl_texture_index)
                | texture3D_enable(value:boolean=false param:NCName index:gl_texture_index)
                | textureCUBE_enable(value:boolean=false param:NCName index:gl_texture_index)
                | textureRECT_enable(value:boolean=false param:NCName index:gl_texture_index)
                | textureDEPTH_enable(value:boolean=false param:NCName index:gl_texture_index)
                | texture_env_color(value:double[4] param:NCName index:gl_texture_index)
                | texture_env_mode(value:string param:NCName index:gl_texture_index)
                | clip_plane(value:double[4]="0 0 0 0" param:NCName index:gl_clip_plane_index)
                | clip_plane_enable(value:boolean=false param:NCName index:gl_clip_plane_index)
                | blend_color(value:double[4]="0 0 0 0" param:NCName)
                | clear_color(value:double[4]="0 0 0 0" param:NCName)'4
                | clear_stencil(value:long=0 param:NCName)'4
                | clear_depth(value:double=1 param:NCName)'4
                | color_mask(value:boolean[4]="true true true true" param:NCName)
                | depth_bounds(value:double[2] param:NCName)
                | depth_mask(value:boolean=true param:NCName)
                | depth_range(value:double[2]="0 1" param:NCName)
                | fog_density(value:double=1 param:NCName)
                | fog_start(value:double=0 param:NCName)
                | fog_end(value:double=1 param:NCName)
                | fog_color(value:double[4]="0 0 0 0" param:NCName)
                | light_model_ambient(value:double[4]="0.2 0.2 0.2 1.0" param:NCName)
                | lighting_enable(value:boolean=false param:NCName)
                | line_stipple(value:long[2]="1 65536" param:NCName)
                | line_width(value:double=1 param:NCName)
                | material_ambient(value:double[4]="0.2 0.2 0.2 1.0" param:NCName)
                | material_diffuse(value:double[4]="0.8 0.8 0.8 1.0" param:NCName)
                | material_emission(value:double[4]="0 0 0 1" param:NCName)
                | material_shininess(value:double=0 param:NCName)
                | material_specular(value:double[4]="0 0 0 1" param:NCName)
                | model_view_matrix(value:double[16]="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1" param:NCName)
                | point_distance_attenuation(value:double[3]="1 0 0" param:NCName)
                | point_fade_threshold_size(value:double=1 param:NCName)
                | point_size(value:double=1 param:NCName)
                | point_size_min(value:double=0 param:NCName)
                | point_size_max(value:double=1 param:NCName)
                | polygon_offset(value:double[2]="0 0" param:NCName)
                | projection_matrix(value:double[16]="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1" param:NCName)
                | scissor(value:long[4] param:NCName)
                | stencil_mask(value:long=4294967295 param:NCName)
                | alpha_test_enable(value:boolean=false param:NCName)
                | auto_normal_enable(value:boolean=false param:NCName)'4
                | blend_enable(value:boolean=false param:NCName)
                | color_logic_op_enable(value:boolean=false param:NCName)
                | color_material_enable(value:boolean=true param:NCName)
                | cull_face_enable(value:boolean=false param:NCName)
                | depth_bounds_enable(value:boolean=false param:NCName)
                | depth_clamp_enable(value:boolean=false param:NCName)
                | depth_test_enable(value:boolean=false param:NCName)
                | dither_enable(value:boolean=true param:NCName)
                | fog_enable(value:boolean=false param:NCName)
                | light_model_local_viewer_enable(value:boolean=false param:NCName)
                | light_model_two_side_enable(value:boolean=false param:NCName)
                | line_smooth_enable(value:boolean=false param:NCName)
                | line_stipple_enable(value:boolean=false param:NCName)
                | logic_op_enable(value:boolean=false param:NCName)
                | multisample_enable(value:boolean=false param:NCName)
                | normalize_enable(value:boolean=false param:NCName)
                | point_smooth_enable(value:boolean=false param:NCName)
                | polygon_offset_fill_enable(value:boolean=false param:NCName)
                | polygon_offset_line_enable(value:boolean=false param:NCName)
                | polygon_offset_point_enable(value:boolean=false param:NCName)
                | polygon_smooth_enable(value:boolean=false param:NCName)
                | polygon_stipple_enable(value:boolean=false param:NCName)
                | rescale_normal_enable(value:boolean=false param:NCName)
                | sample_alpha_to_coverage_enable(value:boolean=false param:NCName)
                | sample_alpha_to_one_enable(value:boolean=false param:NCName)
                | sample_coverage_enable(value:boolean=false param:NCName)
                | scissor_test_enable(value:boolean=false param:NCName)
                | stencil_test_enable(value:boolean=false param:NCName)
            gl_sampler1D'4 = source:NCName wrap_s:fx_wrap=WRAP? minfilter:fx_filter=NONE? magfilter:fx_filter=NONE?
                mipfilter:fx_filter=NONE? border_color:double[4]? mipmap_maxlevel:unsignedByte=0? mipmap_bias:float=0.0?
                extra*
            gl_sampler2D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            gl_sampler3D'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            gl_samplerCUBE'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? wrap_p:fx_wrap=WRAP?
                minfilter:fx_filter=NONE? magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            gl_samplerRECT'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? mipfilter:fx_filter=NONE? border_color:double[4]?
                mipmap_maxlevel:unsignedByte=255? mipmap_bias:float=0.0? extra*
            gl_samplerDEPTH'4 = source:NCName wrap_s:fx_wrap=WRAP? wrap_t:fx_wrap=WRAP? minfilter:fx_filter=NONE?
                magfilter:fx_filter=NONE? extra*
            """)
}
