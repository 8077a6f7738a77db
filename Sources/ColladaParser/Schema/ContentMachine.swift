import Synchronization

/// The machine of one content, made when it is first asked for: of the hundreds that a schema has, a document needs a
/// few dozen.
///
/// A class since it is made once for all who hold it.
package final class ContentMachine: Sendable {
    private enum Making {
        case waiting(GrammarParticle, ContentAutomatonBuilder.Context)
        case made(ContentAutomaton)
    }
    private let making: Mutex<Making>

    init(of particle: GrammarParticle, _ context: ContentAutomatonBuilder.Context) {
        making = Mutex(.waiting(particle, context))
    }

    package var automaton: ContentAutomaton {
        making.withLock { making in
            switch making {
            case .made(let automaton): return automaton
            case .waiting(let particle, let context):
                let automaton = ContentAutomatonBuilder.automaton(of: particle, context)
                making = .made(automaton)
                return automaton
            }
        }
    }
}
