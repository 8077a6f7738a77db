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
