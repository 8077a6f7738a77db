import TestSupport
import Testing

/// The checker that the golden files rely on: each keyword lets the right value pass and catches a wrong one.
@Suite struct JSONSchemaTests {
    @Test(
        arguments: [
            (["type": "string"], "a", 1),
            (["type": ["integer", "null"]], nil, 1.5),
            (["type": "integer"], 3, true),
            (["type": "number"], 1.5, "1.5"),
            (["const": 1], 1, 2),
            (["enum": ["a", nil]], nil, "b"),
            (["minimum": 0], 0, -1),
            (["maximum": 0], 0, 1),
            (["minLength": 2], "ab", "a"),
            (["maxLength": 2], "ab", "abc"),
            (["type": "string", "pattern": "^[0-9a-f]{2}$"], "0f", "0g"),
            (["items": ["type": "boolean"]], [true, false], [true, 0]),
            (["minItems": 2], [1, 2], [1]),
            (["maxItems": 2], [1, 2], [1, 2, 3]),
            (["required": ["a"]], ["a": nil], ["b": 1]),
            (["properties": ["a": ["type": "string"]]], ["a": "x", "b": 1], ["a": 1]),
            (
                ["properties": ["a": ["type": "string"]], "additionalProperties": false], ["a": "x"],
                ["a": "x", "b": 1]
            ),
            (["additionalProperties": ["type": "string"]], ["a": "x"], ["a": 1]),
            (["oneOf": [["type": "string"], ["const": 1]]], 1, 2),
            (["oneOf": [["type": "string"], ["pattern": "a"]]], "b", "a"),
            (["$ref": "#/$defs/n", "$defs": ["n": ["type": "null"]]], nil, 0),
        ] as [(JSONNode, JSONNode, JSONNode)])
    func eachKeywordPassesTheRightAndCatchesTheWrong(schema: JSONNode, right: JSONNode, wrong: JSONNode) throws {
        let schema = try JSONSchema(schema)
        #expect(schema.violations(in: right) == [])
        #expect(!schema.violations(in: wrong).isEmpty)
    }

    @Test(
        arguments: [
            ["exclusiveMaximum": 1],
            ["items": ["typo": "string"]],
            ["$ref": "#/$defs/nowhere"],
            ["$ref": "other.json"],
            ["minimum": "0"],
            ["type": [1]],
            ["$defs": ["a": ["oneOf": [["anyOf": []]]]]],
        ] as [JSONNode])
    func aSchemaWithAnUnknownKeywordOrReferenceIsRefused(schema: JSONNode) {
        #expect(throws: JSONSchema.Fault.self) { try JSONSchema(schema) }
    }

    @Test func aViolationSaysWhereItIs() throws {
        let schema = try JSONSchema(["properties": ["rows": ["items": ["required": ["id"]]]]])
        #expect(schema.violations(in: ["rows": [["id": 1], [:]]]) == ["$.rows[1].id is missing"])
    }

    @Test func numbersThatLookAlikeAreNotBooleans() throws {
        #expect(try JSONNode(parsing: Array("[1, true, 0, false, null, 1e2]".utf8)) == [1, true, 0, false, nil, 100])
    }
}
