import TestSupport

/// What stands between the plain and the odd.
enum Oddities {
    static let documents: [String] = [
        "<a xmlns='http://www.collada.org/2005/11/COLLADASchema' version=\"1.4.1\">\r\n\t<b id=\"x\"/>\r\n</a>\r\n",
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\" ?>\r\n<a xml:base='x' xml:lang='en'>1\r2</a>",
        "<a id='x\ty\nz\r\nw\rv&#10;&lt;&amp;&quot;&apos;&gt;&#x1F600;'>]] ]>]<b/>]]<c>]</c></a>",
        "<a><!--x-->&amp;<!--y-->\r\n<?p q?>&#65;\r</a>", "<a xmlns:p='u' xmlns:q='u' p:id='1' q:b='2' id='3'/>",
        "<a xmlns:p='u' xmlns:q='u' p:id='1' q:id='2'/>", "<a p:id='1'/>", "<p:a/>", "<a xmlns=''/>", "<a xmlns:p=''/>",
        "<a xmlns='u' xmlns='v'/>", "<a xmlns:xml='u'/>", "<a xmlns='http://[x'/>", "<a xmlns='a b'/>", "<a:b:c/>",
        "<a><?xml version='1.0'?></a>", " <?xml version='1.0'?><a/>", "<?xml version='1.1'?><a/>",
        "<!--c--><?xml version='1.0'?><a/>", "<?xml-stylesheet href='x'?><a/>", "<?xml version='1.0' x='y'?><a/>",
        "<a/>\n<!-- c -->\n<?p?>\n<b/>", "<a/><!--c-->x", "<!--c-->x<a/>", "<a><b><!--c--></a></b></a>",
        "<a>\u{FFFE}</a>", "<a id='\u{FFFF}'/>", "<a>\u{EFFF}\u{FFFD}</a>", "<a><!--\u{FFFE}--></a>", "<é ü='ß'>ø</é>",
        "<a>\n\n<b>\n<c\n id='1'\n>&no;</c></b></a>", "<a xmlns='u'><b xmlns='v'><c/></b><c/>&bad;</a>",
        "<x:a xmlns:x='u'>\n<b>\n<x:c></x:b></b></x:a>", "<a><![CDATA[x]]>\n<![CDATA[é\r\n]]><![CDATA[]]>&x;</a>",
        "<a><b id='1'\n/><c id='>'></c ></a >", "<a id = '1' b= \"2\"\tc ='3'></a\n>", "<a/><!DOCTYPE a>",
        "\u{FEFF}<a>1</a>",
        "<!-- c --><!DOCTYPE a [<!-- > -->]><a>\n<b></c></a>", "<a><b><c>\n<d e='<'/></c></b></a>", "<a b='1' b='2'/>",
        "<a>\u{7F}\u{85}\u{2028}</a>", "<a>&#xD;&#13;&#x9;\r\n&#10;</a>", "<a>&#xFFFE;</a>", "<a>&#x110000;</a>",
        "<a>x\u{1}</a>", "<a><!--x\u{1}--></a>", "<a><?p x\u{1}?></a>", "<a><![CDATA[\u{1}]]></a>",
        "<a><!--c-->\u{1}</a>",
        "<?p:q?><a/>", "<?XmL?><a/>", "<a><? p?></a>", "<a><!--->--></a>", "<a><!-- x --- --></a>", "<a></a",
        "<a></a x>",
        "<a>abcdefghijklmno&amp;pqrstuvwxyz0123\r\nabcdefgh]ijklmnop]]q ö abcdefghijk\nlmnopqrstu</a>",
        "<a>abcdefghijkl&lt;\nabcdefghijklmnop]]>q</a>", "<a>abcdefghi&gt;jklmnopqrstu\u{1}vwxyzabcdefg</a>",
        "<a>äabcdefghijklmnopqrs\u{FFFE}tuvwxyz0</a>", "<a>äbcdefghijklmnopqrst\tu&no;vwxyz012</a>",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a>ö</a>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"Utf-8\"?x?><a/>", "<?xml version=\"1.0\" encoding=\"utf-\u{18}\"?><a/>",
        "<?xml version=\"1.0\" encoding=\"utf\u{D}8\"?><a/>", "<a xmlns='http://'/>", "<a xmlns='https://a'/>",
        "<a xmlns='http://www.w3.org/2000/xmlns/'/>", "<a xmlns:b='http://www.w3.org/XML/1998/namespace'/>",
    ]

    private static let pieces = [
        "<", ">", "&", "]]>", "<!--", "-->", "--", "<![CDATA[", "<?", "?>", "\r\n", "\r", "\n", "\u{1}", "é",
        "\u{FFFE}", ":",
        "=", "'", "\"", "/", "&amp;", "&#65;", "&#x0;", "&no;", "p:", "xmlns:p='u'", " xmlns='v'", "<b>", "</b>",
        "<c/>",
        "</a>", "]", "\t", " ", "<!DOCTYPE a>", "xml", " id='1'", "\u{0}", "<p:b xmlns:p='u'/>",
    ].map { Array($0.utf8) }

    /// Changes, drops, doubles, swaps or inserts something somewhere.
    static func change(_ bytes: inout [UInt8], _ random: inout SeededNumbers) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...12, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[at] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.removeSubrange(at..<end)
        case 2: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 3: bytes.swapAt(at, Int.random(in: bytes.indices, using: &random))
        case 4: bytes.removeSubrange(at...)
        default: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: at)  // numbers
        }
    }
}
