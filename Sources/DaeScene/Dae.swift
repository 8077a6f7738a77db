/// The namespace of a scene's types, which bear short names that other modules have as well: `Dae.Scene`,
/// `Dae.Material`.
public enum Dae {}

// What the package itself calls them.
package typealias Animation = Dae.Animation
package typealias AnimationBehavior = Dae.AnimationBehavior
package typealias AnimationChannel = Dae.AnimationChannel
package typealias AnimationClip = Dae.AnimationClip
package typealias AnimationCurve = Dae.AnimationCurve
package typealias AnimationInterpolation = Dae.AnimationInterpolation
package typealias AnimationInterpolations = Dae.AnimationInterpolations
package typealias AnimationMember = Dae.AnimationMember
package typealias AnimationTangents = Dae.AnimationTangents
package typealias AnimationTarget = Dae.AnimationTarget
package typealias Bounds = Dae.Bounds
package typealias Camera = Dae.Camera
package typealias Controller = Dae.Controller
package typealias CoordinateSystem = Dae.CoordinateSystem
package typealias Deformer = Dae.Deformer
package typealias EmbeddedImage = Dae.EmbeddedImage
package typealias Geometry = Dae.Geometry
package typealias Image = Dae.Image
package typealias ImageContent = Dae.ImageContent
package typealias ImagePart = Dae.ImagePart
package typealias ImageShape = Dae.ImageShape
package typealias Instance = Dae.Instance
package typealias Light = Dae.Light
package typealias Material = Dae.Material
package typealias MaterialBinding = Dae.MaterialBinding
package typealias Matrix4 = Dae.Matrix4
package typealias Mesh = Dae.Mesh
package typealias Morph = Dae.Morph
package typealias Node = Dae.Node
package typealias NumberArray = Dae.NumberArray
package typealias Opacity = Dae.Opacity
package typealias PoseEvaluator = Dae.PoseEvaluator
package typealias Scene = Dae.Scene
package typealias SceneBounds = Dae.SceneBounds
package typealias SceneIndex = Dae.SceneIndex
package typealias Shading = Dae.Shading
package typealias Skeleton = Dae.Skeleton
package typealias Skin = Dae.Skin
package typealias SkinInfluences = Dae.SkinInfluences
package typealias Transform = Dae.Transform
