/// One document, written twice by hand: in feet with z up, and in metres with y up. Each part is taken from either, and
/// what is in feet says so by an asset of its own.
struct SystemRoundDocument {
    enum Part: CaseIterable {
        case animations, cameras, lights, joints, models, systems, bodies, physicsScenes, nodes
    }
    /// The parts in feet.
    var feet: Set<Part>

    private func text(_ part: Part, _ library: String, feet: String, metres: String) -> String {
        let asset = "<asset><unit name='foot' meter='0.3048'/><up_axis>Z_UP</up_axis></asset>"
        return "<\(library)>" + (self.feet.contains(part) ? asset + feet : metres) + "</\(library)>"
    }

    var document: String {
        var document = Document.version15
        document.asset = "<asset><unit name='meter' meter='1'/><up_axis>Y_UP</up_axis></asset>"
        document.node = nil
        document.body =
            text(.cameras, "library_cameras", feet: cameras("10", "100"), metres: cameras("3.048", "30.48"))
            + text(.lights, "library_lights", feet: lights("3.048", "0.09290304"), metres: lights("10", "1"))
            + text(.animations, "library_animations", feet: Self.animationsInFeet, metres: Self.animationsInMetres)
            + text(.bodies, "library_physics_models", feet: Self.bodiesInFeet, metres: Self.bodiesInMetres)
            + text(.physicsScenes, "library_physics_scenes", feet: Self.scenesInFeet, metres: Self.scenesInMetres)
            + text(.joints, "library_joints", feet: Self.jointsInFeet, metres: Self.jointsInMetres)
            + text(.models, "library_kinematics_models", feet: Self.linksInFeet, metres: Self.linksInMetres)
            + text(.systems, "library_articulated_systems", feet: Self.systemsInFeet, metres: Self.systemsInMetres)
            + "<library_kinematics_scenes><kinematics_scene id='moves'><instance_articulated_system sid='robot' url='#moving'/></kinematics_scene></library_kinematics_scenes>"
            + text(.nodes, "library_visual_scenes", feet: Self.nodesInFeet, metres: Self.nodesInMetres)
            + "<scene><instance_physics_scene url='#ps'/><instance_visual_scene url='#vs'/>\(Self.bindings)</scene>"
        return document.text
    }

    // MARK: - Cameras and lights

    private func cameras(_ near: String, _ far: String) -> String {
        "<camera id='view'><optics><technique_common><perspective><yfov>40</yfov><znear sid='near'>\(near)</znear><zfar>\(far)</zfar></perspective></technique_common></optics></camera>"
            + "<camera id='plan'><optics><technique_common><orthographic><xmag>\(near)</xmag><ymag sid='height'>\(far)</ymag></orthographic></technique_common></optics></camera>"
    }

    private func lights(_ linear: String, _ quadratic: String) -> String {
        let falling =
            "<color>1 1 1</color><constant_attenuation>2</constant_attenuation><linear_attenuation sid='fall'>\(linear)</linear_attenuation><quadratic_attenuation>\(quadratic)</quadratic_attenuation>"
        return
            "<light id='lamp'><technique_common><point>\(falling)</point></technique_common></light><light id='beam'><technique_common><spot>\(falling)<falloff_angle>30</falloff_angle></spot></technique_common></light>"
    }

    // MARK: - Nodes

    private static let nodesInFeet = """
        <visual_scene id='vs'><node id='mover'><translate sid='t'>10 20 30</translate><rotate sid='r'>0 0 1 30</rotate>
        <scale sid='s'>1 2 3</scale><skew sid='k'>20 1 0 0 0 0 1</skew><node id='inner'><translate>10 0 0</translate></node></node>
        <node id='single'><translate sid='t'>0 0 0</translate><rotate sid='r'>0 0 1 30</rotate></node>
        <node id='placed'><matrix sid='m'>0 -1 0 10 1 0 0 20 0 0 1 30 0 0 0 1</matrix></node>
        <node id='cell'><matrix sid='m'>1 0 0 10 0 1 0 20 0 0 1 30 0 0 0 1</matrix></node>
        <node id='eye'><lookat sid='l'>10 0 0 0 10 0 0 0 1</lookat></node></visual_scene>
        """
    private static let nodesInMetres = """
        <visual_scene id='vs'><node id='mover'><translate sid='t'>3.048 9.144 -6.096</translate><rotate sid='r'>0 1 0 30</rotate>
        <scale sid='s'>1 3 2</scale><skew sid='k'>20 1 0 0 0 1 0</skew><node id='inner'><translate>3.048 0 0</translate></node></node>
        <node id='single'><translate sid='t'>0 0 0</translate><rotate sid='r'>0 1 0 30</rotate></node>
        <node id='placed'><matrix sid='m'>0 0 1 3.048 0 1 0 9.144 -1 0 0 -6.096 0 0 0 1</matrix></node>
        <node id='cell'><matrix sid='m'>1 0 0 3.048 0 1 0 9.144 0 0 1 -6.096 0 0 0 1</matrix></node>
        <node id='eye'><lookat sid='l'>3.048 0 0 0 0 -3.048 0 1 0</lookat></node></visual_scene>
        """

    // MARK: - Animations

    private static func source(_ id: String, _ values: String, stride: Int) -> String {
        let count = values.split(whereSeparator: \.isWhitespace).count
        let params = (0..<stride).map { "<param name='P\($0)' type='float'/>" }.joined()
        return
            "<source id='\(id)'><float_array id='\(id)a' count='\(count)'>\(values)</float_array><technique_common><accessor source='#\(id)a' count='\(count / stride)' stride='\(stride)'>\(params)</accessor></technique_common></source>"
    }

    /// One animation with the keys 0 and 1.
    private static func moving(
        _ target: String, _ values: String, width: Int = 1, way: String = "LINEAR", incoming: String? = nil,
        outgoing: String? = nil, stride: Int = 2
    ) -> String {
        let id = "a" + target.filter { $0.isLetter || $0.isNumber }
        var sources = source("\(id)t", "0 1", stride: 1) + source("\(id)v", values, stride: width)
        var inputs =
            "<input semantic='INPUT' source='#\(id)t'/><input semantic='OUTPUT' source='#\(id)v'/><input semantic='INTERPOLATION' source='#\(id)w'/>"
        sources += "<source id='\(id)w'><Name_array id='\(id)wa' count='2'>\(way) \(way)</Name_array></source>"
        if let incoming, let outgoing {
            sources += source("\(id)i", incoming, stride: stride) + source("\(id)o", outgoing, stride: stride)
            inputs +=
                "<input semantic='IN_TANGENT' source='#\(id)i'/><input semantic='OUT_TANGENT' source='#\(id)o'/>"
        }
        return
            "<animation id='\(id)'>\(sources)<sampler id='\(id)s'>\(inputs)</sampler><channel source='#\(id)s' target='\(target)'/></animation>"
    }

    private static let animationsInFeet =
        moving(
            "mover/t", "10 20 30 20 30 10", width: 3, way: "BEZIER", incoming: "0 0 0 0 0.5 20 10 40",
            outgoing: "0.25 30 10 20 0 0 0 0", stride: 4)
        + moving("mover/r", "0 0 1 30 0 0 1 90", width: 4) + moving("mover/s.Y", "2 5")
        + moving("mover/k", "20 1 0 0 0 0 1 40 0 1 0 0 0 1", width: 7)
        + moving(
            "single/t.Y", "0 10", way: "BEZIER", incoming: "0 0 0.5 20", outgoing: "0.5 -10 1 0")
        + moving("single/t(2)", "0 20", way: "HERMITE", incoming: "0 0 1 30", outgoing: "1 10 0 0")
        + moving("single/r.ANGLE", "30 60")
        + moving(
            "placed/m", "0 -1 0 10 1 0 0 20 0 0 1 30 0 0 0 1 1 0 0 20 0 1 0 10 0 0 1 20 0 0 0 1", width: 16)
        + moving("cell/m(3)(1)", "20 10") + moving("cell/m(1)(0)", "0 0.5") + moving("cell/m(11)", "30 40")
        + moving(
            "eye/l", "10 0 0 0 10 0 0 0 1 0 0 10 10 10 0 0 0 1", width: 9, way: "BEZIER",
            incoming: pairs([10, 0, 0, 0, 10, 0, 0, 0, 1], [0, 0, 20, 20, 10, 0, 0, 0, 2], at: 0.7),
            outgoing: pairs([10, 10, 0, 0, 20, 0, 0, 0, 1], [0, 0, 10, 10, 10, 0, 0, 0, 1], at: 0.3), stride: 18)
        + moving("view/near", "10 20") + moving("plan/height", "100 50") + moving("lamp/fall", "3.048 6.096")
    private static let animationsInMetres =
        moving(
            "mover/t", "3.048 9.144 -6.096 6.096 3.048 -9.144", width: 3, way: "BEZIER",
            incoming: "0 0 0 0 0.5 6.096 12.192 -3.048", outgoing: "0.25 9.144 6.096 -3.048 0 0 0 0", stride: 4)
        + moving("mover/r", "0 1 0 30 0 1 0 90", width: 4) + moving("mover/s.Z", "2 5")
        + moving("mover/k", "20 1 0 0 0 1 0 40 0 0 -1 0 1 0", width: 7)
        + moving(
            "single/t.Z", "0 -3.048", way: "BEZIER", incoming: "0 0 0.5 -6.096", outgoing: "0.5 3.048 1 0")
        + moving("single/t(1)", "0 6.096", way: "HERMITE", incoming: "0 0 1 9.144", outgoing: "1 3.048 0 0")
        + moving("single/r.ANGLE", "30 60")
        + moving(
            "placed/m", "0 0 1 3.048 0 1 0 9.144 -1 0 0 -6.096 0 0 0 1 1 0 0 6.096 0 1 0 6.096 0 0 1 -3.048 0 0 0 1",
            width: 16)
        + moving("cell/m(3)(2)", "-6.096 -3.048") + moving("cell/m(2)(0)", "0 -0.5")
        + moving("cell/m(7)", "9.144 12.192")
        + moving(
            "eye/l", "3.048 0 0 0 0 -3.048 0 1 0 0 3.048 0 3.048 0 -3.048 0 1 0", width: 9, way: "BEZIER",
            incoming: pairs(
                [3.048, 0, 0, 0, 0, -3.048, 0, 1, 0], [0, 6.096, 0, 6.096, 0, -3.048, 0, 2, 0], at: 0.7),
            outgoing: pairs(
                [3.048, 0, -3.048, 0, 0, -6.096, 0, 1, 0], [0, 3.048, 0, 3.048, 0, -3.048, 0, 1, 0], at: 0.3),
            stride: 18)
        + moving("view/near", "3.048 6.096") + moving("plan/height", "30.48 15.24") + moving("lamp/fall", "10 20")

    /// Two keys, each with the time before every value.
    private static func pairs(_ first: [Double], _ second: [Double], at time: Double) -> String {
        (first + second).map { "\(time) \($0)" }.joined(separator: " ")
    }

    // MARK: - Physics

    private static let bodiesInFeet = """
        <physics_model id='pm'><rigid_body sid='b'><technique_common><dynamic>true</dynamic><mass>2</mass>
        <mass_frame><translate>10 20 30</translate><rotate>0 0 1 90</rotate></mass_frame><inertia>100 200 300</inertia>
        <shape><density>1000</density><box><half_extents>10 20 30</half_extents></box><translate>10 0 20</translate><rotate>0 0 1 90</rotate></shape>
        <shape><plane><equation>0 0 1 -10</equation></plane></shape><shape><sphere><radius>10</radius></sphere></shape>
        <shape><cylinder><height>10</height><radius>20 30</radius></cylinder><translate>0 10 20</translate><rotate>1 0 0 90</rotate></shape>
        <shape><capsule><height>10</height><radius>10 20 30</radius></capsule></shape>
        </technique_common></rigid_body>
        <rigid_constraint sid='c'><ref_attachment rigid_body='./b'><translate>10 0 20</translate></ref_attachment>
        <attachment rigid_body=''><rotate>0 0 1 90</rotate></attachment><technique_common>
        <limits><swing_cone_and_twist><min>-45 -30 -INF</min><max>40 20 INF</max></swing_cone_and_twist>
        <linear><min>0 0 -10</min><max>10 20 30</max></linear></limits>
        <spring><angular><stiffness>100</stiffness><damping>200</damping><target_value>30</target_value></angular>
        <linear><stiffness>5</stiffness><damping>6</damping><target_value>10</target_value></linear></spring>
        </technique_common></rigid_constraint></physics_model>
        """
    private static let bodiesInMetres = """
        <physics_model id='pm'><rigid_body sid='b'><technique_common><dynamic>true</dynamic><mass>2</mass>
        <mass_frame><translate>3.048 9.144 -6.096</translate><rotate>0 1 0 90</rotate></mass_frame><inertia>9.290304 27.870912 18.580608</inertia>
        <shape><density>35314.66672148859</density><box><half_extents>3.048 9.144 6.096</half_extents></box><translate>3.048 6.096 0</translate><rotate>0 1 0 90</rotate></shape>
        <shape><plane><equation>0 1 0 -3.048</equation></plane></shape><shape><sphere><radius>3.048</radius></sphere></shape>
        <shape><cylinder><height>3.048</height><radius>6.096 9.144</radius></cylinder><translate>0 6.096 -3.048</translate><rotate>1 0 0 90</rotate><rotate>1 0 0 -90</rotate></shape>
        <shape><capsule><height>3.048</height><radius>3.048 6.096 9.144</radius></capsule><rotate>1 0 0 -90</rotate></shape>
        </technique_common></rigid_body>
        <rigid_constraint sid='c'><ref_attachment rigid_body='./b'><translate>3.048 6.096 0</translate><rotate>1 0 0 -90</rotate></ref_attachment>
        <attachment rigid_body=''><rotate>0 1 0 90</rotate><rotate>1 0 0 -90</rotate></attachment><technique_common>
        <limits><swing_cone_and_twist><min>-45 -30 -INF</min><max>40 20 INF</max></swing_cone_and_twist>
        <linear><min>0 0 -3.048</min><max>3.048 6.096 9.144</max></linear></limits>
        <spring><angular><stiffness>9.290304</stiffness><damping>18.580608</damping><target_value>30</target_value></angular>
        <linear><stiffness>5</stiffness><damping>6</damping><target_value>3.048</target_value></linear></spring>
        </technique_common></rigid_constraint></physics_model>
        """

    private static func scenes(
        gravity: String, velocity: String, angular: String, radius: String
    ) -> String {
        """
        <physics_scene id='ps'><instance_physics_model url='#pm'><instance_rigid_body body='b' target='#placed'><technique_common>
        <angular_velocity>\(angular)</angular_velocity><velocity>\(velocity)</velocity>
        <shape><sphere><radius>\(radius)</radius></sphere></shape></technique_common></instance_rigid_body></instance_physics_model>
        <technique_common><gravity>\(gravity)</gravity><time_step>0.01</time_step></technique_common></physics_scene>
        """
    }
    private static let scenesInFeet = scenes(
        gravity: "0 0 -10", velocity: "10 20 30", angular: "10 20 30", radius: "20")
    private static let scenesInMetres = scenes(
        gravity: "0 -3.048 0", velocity: "3.048 9.144 -6.096", angular: "10 30 -20", radius: "6.096")

    // MARK: - Kinematics

    private static let jointsInFeet =
        "<joint id='turn'><revolute sid='axis'><axis>0 1 0</axis><limits><min>-90</min><max>45</max></limits></revolute></joint><joint id='slide'><prismatic sid='axis'><axis>0 0 1</axis><limits><min>-10</min><max>20</max></limits></prismatic></joint>"
    private static let jointsInMetres =
        "<joint id='turn'><revolute sid='axis'><axis>0 0 -1</axis><limits><min>-90</min><max>45</max></limits></revolute></joint><joint id='slide'><prismatic sid='axis'><axis>0 1 0</axis><limits><min>-3.048</min><max>6.096</max></limits></prismatic></joint>"

    private static func links(base: String, turned: String, start: String, end: String, axis: String) -> String {
        """
        <kinematics_model id='arm'><technique_common><instance_joint sid='shoulder' url='#turn'/><instance_joint sid='reach' url='#slide'/>
        <joint sid='grip'>\(axis)</joint><link sid='base'>\(base)<attachment_full joint='arm/shoulder'>\(turned)<link sid='upper'>
        <attachment_start joint='arm/grip'>\(start)</attachment_start></link></attachment_full>
        <attachment_full joint='arm/reach'><link sid='lower'><attachment_end joint='arm/grip'>\(end)</attachment_end></link></attachment_full></link>
        </technique_common></kinematics_model>
        """
    }
    private static let linksInFeet = links(
        base: "<translate>0 10 20</translate>", turned: "<rotate>0 0 1 90</rotate><translate>10 0 0</translate>",
        start: "<translate>0 0 10</translate>", end: "<translate>0 20 0</translate>",
        axis: "<prismatic sid='axis'><axis>1 1 0</axis><limits><max>10</max></limits></prismatic>")
    private static let linksInMetres = links(
        base: "<translate>0 6.096 -3.048</translate>",
        turned: "<rotate>0 1 0 90</rotate><translate>3.048 0 0</translate>",
        start: "<translate>0 3.048 0</translate>", end: "<translate>0 0 -6.096</translate>",
        axis: "<prismatic sid='axis'><axis>1 0 -1</axis><limits><max>3.048</max></limits></prismatic>")

    /// - Parameter ten: Ten feet.
    private static func systems(ten: String, five: String, tip: String, direction: String) -> String {
        """
        <articulated_system id='moving'><motion><instance_articulated_system url='#standing' sid='standing-instance'/><technique_common>
        <axis_info axis='standing/reach-info'><speed><float>\(ten)</float></speed><acceleration><param>least</param></acceleration><deceleration><float>\(five)</float></deceleration><jerk><float>\(ten)</float></jerk></axis_info>
        <axis_info axis='standing/shoulder-info'><speed><float>90</float></speed></axis_info>
        <effector_info><speed><float2>\(ten) 30</float2></speed><jerk><float2>\(five) 40</float2></jerk></effector_info></technique_common></motion>
        <extra name='hand' type='manipulator'><technique profile='OpenRAVE'><frame_origin link='arm/base'/><frame_tip link='arm/lower'>\(tip)<direction>\(direction)</direction></frame_tip></technique></extra></articulated_system>
        <articulated_system id='standing'><kinematics><instance_kinematics_model url='#arm' sid='arm-instance'><newparam sid='least'><float>\(five)</float></newparam></instance_kinematics_model><technique_common>
        <axis_info sid='reach-info' axis='arm/reach/axis'><limits><min><param>least</param></min><max><float>\(ten)</float></max></limits></axis_info>
        <axis_info sid='shoulder-info' axis='arm/shoulder/axis'><limits><min><float>-10</float></min><max><float>10</float></max></limits></axis_info>
        <frame_origin link='arm/base'/><frame_tip link='arm/lower'>\(tip)</frame_tip></technique_common></kinematics></articulated_system>
        """
    }
    private static let systemsInFeet = systems(
        ten: "10", five: "5", tip: "<translate>0 10 20</translate>", direction: "0 1 0")
    private static let systemsInMetres = systems(
        ten: "3.048", five: "1.524", tip: "<translate>0 6.096 -3.048</translate>", direction: "0 0 -1")

    /// The scene itself is always in the document's unit; what a parameter holds is in that of its system.
    private static let bindings = """
        <instance_kinematics_scene url='#moves'><bind_joint_axis target='single/t'><axis><SIDREF>arm/reach/axis</SIDREF></axis><value><float>0.25</float></value></bind_joint_axis>
        <bind_joint_axis target='single/t'><axis><SIDREF>arm/grip/axis</SIDREF></axis><value><param>standing/least</param></value></bind_joint_axis>
        <bind_joint_axis target='single/r'><axis><SIDREF>arm/shoulder/axis</SIDREF></axis><value><float>30</float></value></bind_joint_axis></instance_kinematics_scene>
        """
}
