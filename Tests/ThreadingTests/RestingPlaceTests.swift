import Testing
import Threading

@Suite struct RestingPlaceTests {
    @Test func oneRestsAndTheFormerIsGivenBack() {
        let place = RestingPlace<Int>()
        #expect(place.take() == nil)
        #expect(place.leave(1) == nil)
        #expect(place.leave(2) == 1)
        #expect(place.take() == 2)
        #expect(place.take() == nil)
    }
}
