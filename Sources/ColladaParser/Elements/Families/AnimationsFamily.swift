// Elements of animations and clips.

extension ElementFamily {
    static let animations = ElementFamily(
        name: "animations",
        grammar: """
            type sampler_behavior'5 = string enum CONSTANT CYCLE CYCLE_RELATIVE GRADIENT OSCILLATE UNDEFINED
            animation(id:ID name:name) = asset?
                ((source+ ((sampler+ channel+ animation*) | animation+)) | (sampler+ channel+ animation*) | animation+)
                extra*
            animation_clip(id:ID name:name start:double=0.0 end:double) = asset? instance_animation:instance_with_extra+
                instance_formula*'5 extra*
            channel(source!:uri_fragment target!:token)
            sampler(id:ID pre_behavior:sampler_behavior'5 post_behavior:sampler_behavior'5) = input:input_local+
            library_animations(id:ID name:name) = asset? animation+ extra*
            library_animation_clips(id:ID name:name) = asset? animation_clip+ extra*
            """,
        units: [.animation, .animationClip])
}
