#!/usr/bin/env python3
"""Writes the COLLADA 1.4.1 documents that readers are measured with: the same bytes for the same arguments.

  generate.py {mesh|scene|anim} SIZE_MB OUT.dae [--seed N] [--meshes N] [--style blender|fbx]

mesh   a few huge grid meshes; three of four use <triangles> with VERTEX/NORMAL/TEXCOORD offsets and
       one UV per corner (as Blender writes), the fourth uses <polylist> quads with shared UVs.
scene  very many small nodes, geometries, effects, materials and images in a tree.
anim   characters: skinned mesh + skin controller + joint tree + matrix and bezier channels.

SIZE_MB is decimal megabytes of XML text; the result is within about 2 %.
Style 'blender': a whole array on one line, 7 significant digits, shortest form ("%.7g").
Style 'fbx':     one tuple a line, fixed six decimals ("%.6f").
"""
import argparse, io, sys
import numpy as np

CH = 1 << 18


class Out:
    def __init__(self, path):
        self.f = open(path, "wb", buffering=1 << 20)
        self.n = 0

    def w(self, s):
        b = s.encode() if isinstance(s, str) else s
        self.f.write(b)
        self.n += len(b)

    def floats(self, a, width=3, style="blender"):
        a = np.ascontiguousarray(a).reshape(-1)
        step = CH // width * width
        for i in range(0, len(a), step):
            c = a[i:i + step].tolist()
            if style == "fbx":
                line = " ".join(["%.6f"] * width) + "\n"
                self.w((line * (len(c) // width)) % tuple(c))
            else:
                s = " ".join(["%.7g"] * len(c)) % tuple(c)
                self.w((" " if i else "") + s)

    def ints(self, a, style="blender"):
        a = np.ascontiguousarray(a).reshape(-1)
        for i in range(0, len(a), CH):
            self.w((" " if i else "") + " ".join(map(str, a[i:i + CH].tolist())))


HEAD = '''<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <asset>
    <contributor>
      <author>gen_collada</author>
      <authoring_tool>gen_collada %(kind)s seed %(seed)d</authoring_tool>
    </contributor>
    <created>2026-11-21T09:00:00</created>
    <modified>2026-11-21T09:00:00</modified>
    <unit name="meter" meter="1"/>
    <up_axis>Z_UP</up_axis>
  </asset>
'''


def effect(o, eid, rgb, img=None):
    o.w(f'    <effect id="{eid}-effect">\n      <profile_COMMON>\n')
    if img:
        o.w(f'        <newparam sid="{img}-surface">\n          <surface type="2D">\n            <init_from>{img}</init_from>\n'
            f'          </surface>\n        </newparam>\n        <newparam sid="{img}-sampler">\n          <sampler2D>\n'
            f'            <source>{img}-surface</source>\n          </sampler2D>\n        </newparam>\n')
        dif = f'<texture texture="{img}-sampler" texcoord="UVMap"/>'
    else:
        dif = '<color sid="diffuse">%.6g %.6g %.6g 1</color>' % rgb
    o.w('        <technique sid="common">\n          <lambert>\n            <emission>\n'
        '              <color sid="emission">0 0 0 1</color>\n            </emission>\n'
        f'            <diffuse>\n              {dif}\n            </diffuse>\n            <index_of_refraction>\n'
        '              <float sid="ior">1.45</float>\n            </index_of_refraction>\n          </lambert>\n'
        '        </technique>\n      </profile_COMMON>\n    </effect>\n')


def material(o, mid):
    o.w(f'    <material id="{mid}" name="{mid}">\n      <instance_effect url="#{mid}-effect"/>\n    </material>\n')


def source(o, sid, arr, params, style):
    w = len(params)
    n = arr.size
    o.w(f'        <source id="{sid}">\n          <float_array id="{sid}-array" count="{n}">')
    if style == "fbx":
        o.w("\n")
    o.floats(arr, w, style)
    o.w(f'</float_array>\n          <technique_common>\n            <accessor source="#{sid}-array" count="{n // w}" stride="{w}">\n')
    for p in params:
        o.w(f'              <param name="{p}" type="float"/>\n')
    o.w('            </accessor>\n          </technique_common>\n        </source>\n')


def grid(rng, nv):
    """A noisy height-field of about nv vertices: positions, normals, uvs (float32) and quads."""
    m = max(3, int(round(nv ** 0.5)))
    y, x = np.mgrid[0:m, 0:m].astype(np.float32)
    x = (x / (m - 1) - 0.5) * 40
    y = (y / (m - 1) - 0.5) * 40
    z = (np.sin(x * 0.37) * np.cos(y * 0.23) * 3 + rng.standard_normal((m, m), dtype=np.float32) * 0.05).astype(np.float32)
    x = x + rng.standard_normal((m, m), dtype=np.float32) * np.float32(0.01)
    y = y + rng.standard_normal((m, m), dtype=np.float32) * np.float32(0.01)
    pos = np.stack([x, y, z], -1).reshape(-1, 3).astype(np.float32)
    gy, gx = np.gradient(z)
    s = np.float32(40 / (m - 1))
    nrm = np.stack([-gx / s, -gy / s, np.ones_like(z)], -1)
    nrm /= np.linalg.norm(nrm, axis=-1, keepdims=True)
    nrm = nrm.reshape(-1, 3).astype(np.float32)
    uv = np.stack([(x + 20) / 40, (y + 20) / 40], -1).reshape(-1, 2).astype(np.float32)
    i = np.arange(m * m, dtype=np.int64).reshape(m, m)
    q = np.stack([i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1]], -1).reshape(-1, 4)
    return pos, nrm, uv, q


def geometry(o, gid, mat, rng, nv, mode, style):
    pos, nrm, uv, q = grid(rng, nv)
    o.w(f'    <geometry id="{gid}" name="{gid}">\n      <mesh>\n')
    source(o, f"{gid}-positions", pos, "XYZ", style)
    source(o, f"{gid}-normals", nrm, "XYZ", style)
    if mode == "triangles":
        t = q[:, [0, 1, 2, 0, 2, 3]].reshape(-1)
        cuv = uv[t]
        idx = np.stack([t, t, np.arange(len(t))], -1)
    else:
        t = q.reshape(-1)
        cuv = uv
        idx = np.stack([t, t, t], -1)
    source(o, f"{gid}-map-0", cuv, "ST", style)
    o.w(f'        <vertices id="{gid}-vertices">\n          <input semantic="POSITION" source="#{gid}-positions"/>\n        </vertices>\n')
    n = len(t) // (3 if mode == "triangles" else 4)
    o.w(f'        <{mode} material="{mat}" count="{n}">\n'
        f'          <input semantic="VERTEX" source="#{gid}-vertices" offset="0"/>\n'
        f'          <input semantic="NORMAL" source="#{gid}-normals" offset="1"/>\n'
        f'          <input semantic="TEXCOORD" source="#{gid}-map-0" offset="2" set="0"/>\n')
    if mode == "polylist":
        o.w("          <vcount>")
        for i in range(0, n, CH):
            o.w("4 " * min(CH, n - i))
        o.w("</vcount>\n")
    o.w("          <p>")
    o.ints(idx)
    o.w(f'</p>\n        </{mode}>\n      </mesh>\n    </geometry>\n')
    return len(pos)


def bind(mat, ind):
    return (f'{ind}<bind_material>\n{ind}  <technique_common>\n{ind}    <instance_material symbol="{mat}" target="#{mat}">\n'
            f'{ind}      <bind_vertex_input semantic="UVMap" input_semantic="TEXCOORD" input_set="0"/>\n'
            f'{ind}    </instance_material>\n{ind}  </technique_common>\n{ind}</bind_material>\n')


def matrix_text(rng, k, spread):
    """k random rigid transforms with 16 row-major numbers each, as text."""
    a = rng.uniform(-np.pi, np.pi, k)
    t = rng.uniform(-spread, spread, (k, 3))
    c, s = np.cos(a), np.sin(a)
    z, u = np.zeros(k), np.ones(k)
    return np.stack([c, -s, z, t[:, 0], s, c, z, t[:, 1], z, z, u, t[:, 2], z, z, z, u], -1).astype(np.float32)


def tail(o, scene="Scene"):
    o.w(f'  <scene>\n    <instance_visual_scene url="#{scene}"/>\n  </scene>\n</COLLADA>\n')


def gen_mesh(o, a, rng):
    target = a.size_mb * 1e6
    k = a.meshes
    images = [f"tex{i}_png" for i in range(k)]
    o.w("  <library_images>\n")
    for im in images:
        o.w(f'    <image id="{im}" name="{im}">\n      <init_from>{im[:-4]}.png</init_from>\n    </image>\n')
    o.w("  </library_images>\n  <library_effects>\n")
    for i in range(k):
        effect(o, f"Mat{i}-material", (0.8, 0.8, 0.8), images[i])
    o.w("  </library_effects>\n  <library_materials>\n")
    for i in range(k):
        material(o, f"Mat{i}-material")
    o.w("  </library_materials>\n  <library_geometries>\n")
    per = {"triangles": 285.0, "polylist": 160.0}   # first guess of bytes a vertex, refined while writing
    for i in range(k):
        mode = "polylist" if i % 4 == 3 else "triangles"
        share = (target - o.n) / (k - i)
        nv, before = share / per[mode], o.n
        # refine the guess on a small sample so that the sizes come out right
        class Null(Out):
            def __init__(s): s.n = 0
            def w(s, t): s.n += len(t)
        for scale in (20000,):
            nl = Null()
            m = geometry(nl, "g", "m", np.random.default_rng(7), min(nv, scale), mode, a.style)
            extra = 0
            if nv > scale:  # index digits grow with the vertex count
                d = np.log10(nv / scale)
                extra = d * (18 + 2) if mode == "triangles" else d * 12
            per_v = nl.n / m + extra
        nv = share / per_v
        geometry(o, f"Mesh{i}-mesh", f"Mat{i}-material", rng, nv, mode, a.style)
    o.w('  </library_geometries>\n  <library_visual_scenes>\n    <visual_scene id="Scene" name="Scene">\n')
    mats = matrix_text(rng, k, 100)
    for i in range(k):
        o.w(f'      <node id="Mesh{i}" name="Mesh{i}" type="NODE">\n        <matrix sid="transform">')
        o.floats(mats[i], 16)
        o.w(f'</matrix>\n        <instance_geometry url="#Mesh{i}-mesh" name="Mesh{i}">\n{bind(f"Mat{i}-material", "          ")}'
            '        </instance_geometry>\n      </node>\n')
    o.w("    </visual_scene>\n  </library_visual_scenes>\n")
    tail(o)


def gen_scene(o, a, rng):
    target = a.size_mb * 1e6
    n = max(16, int(target / 1552))
    ng, nm, ni = n // 4, n // 8, max(1, n // 32)
    o.w("  <library_images>\n")
    for i in range(ni):
        o.w(f'    <image id="img{i}_png" name="img{i}_png">\n      <init_from>textures/img{i}.png</init_from>\n    </image>\n')
    o.w("  </library_images>\n  <library_effects>\n")
    for i in range(nm):
        effect(o, f"Mat{i}-material", tuple(rng.random(3)), f"img{i % ni}_png" if i % 2 else None)
    o.w("  </library_effects>\n  <library_materials>\n")
    for i in range(nm):
        material(o, f"Mat{i}-material")
    o.w("  </library_materials>\n  <library_geometries>\n")
    base = np.array([[-1, -1, -1], [1, -1, -1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], [1, 1, 1]], np.float32)
    tris = np.array([0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5])
    face = np.repeat(np.arange(6), 6)
    nrm = np.array([[0, 0, -1], [0, 0, 1], [0, -1, 0], [0, 1, 0], [-1, 0, 0], [1, 0, 0]], np.float32)
    uv = np.round(np.random.default_rng(1).random((36, 2)), 6).astype(np.float32)
    idx = np.stack([tris, face, np.arange(36)], -1)
    for i in range(ng):
        g = f"Cube_{i}-mesh"
        o.w(f'    <geometry id="{g}" name="Cube.{i}">\n      <mesh>\n')
        source(o, f"{g}-positions", base * rng.uniform(0.2, 2, 3).astype(np.float32), "XYZ", "blender")
        source(o, f"{g}-normals", nrm, "XYZ", "blender")
        source(o, f"{g}-map-0", uv, "ST", "blender")
        o.w(f'        <vertices id="{g}-vertices">\n          <input semantic="POSITION" source="#{g}-positions"/>\n        </vertices>\n'
            f'        <triangles material="Mat{i % nm}-material" count="12">\n'
            f'          <input semantic="VERTEX" source="#{g}-vertices" offset="0"/>\n'
            f'          <input semantic="NORMAL" source="#{g}-normals" offset="1"/>\n'
            f'          <input semantic="TEXCOORD" source="#{g}-map-0" offset="2" set="0"/>\n          <p>')
        o.ints(idx)
        o.w("</p>\n        </triangles>\n      </mesh>\n    </geometry>\n")
    o.w('  </library_geometries>\n  <library_visual_scenes>\n    <visual_scene id="Scene" name="Scene">\n')
    m = matrix_text(rng, n, 30)

    def node(i, depth):
        ind = "  " * (depth + 3)
        o.w(f'{ind}<node id="Node_{i}" name="Node.{i}" type="NODE">\n{ind}  <matrix sid="transform">')
        o.floats(m[i], 16)
        gi = i % ng
        mat = f"Mat{gi % nm}-material"
        o.w(f'</matrix>\n{ind}  <instance_geometry url="#Cube_{gi}-mesh" name="Node.{i}">\n{bind(mat, ind + "    ")}{ind}  </instance_geometry>\n')
        for c in range(8 * i + 1, min(8 * i + 9, per)):
            node_at(c, depth + 1)
        o.w(f"{ind}</node>\n")

    # several trees of branching 8, 585 nodes each (depth 3)
    per = 585
    start = 0
    while start < n:
        per_here = min(per, n - start)

        def node_at(c, depth, s=start, lim=per_here):
            if c >= lim:
                return
            i = s + c
            ind = "  " * (depth + 3)
            gi = i % ng
            o.w(f'{ind}<node id="Node_{i}" name="Node.{i}" type="NODE">\n{ind}  <matrix sid="transform">')
            o.floats(m[i], 16)
            o.w(f'</matrix>\n{ind}  <instance_geometry url="#Cube_{gi}-mesh" name="Node.{i}">\n'
                f'{bind(f"Mat{gi % nm}-material", ind + "    ")}{ind}  </instance_geometry>\n')
            for k in range(8 * c + 1, 8 * c + 9):
                node_at(k, depth + 1)
            o.w(f"{ind}</node>\n")
        node_at(0, 0)
        start += per_here
    o.w("    </visual_scene>\n  </library_visual_scenes>\n")
    tail(o)


def gen_anim(o, a, rng):
    target = a.size_mb * 1e6
    J, K, NV = 40, 60, 1860
    if a.size_mb < 1:
        J, K, NV = 10, 20, 200
    nchar = a.chars or max(1, int(round(target / 0.99e6)))
    o.w("  <library_effects>\n")
    for c in range(nchar):
        effect(o, f"Skin{c}-material", tuple(rng.random(3)))
    o.w("  </library_effects>\n  <library_materials>\n")
    for c in range(nchar):
        material(o, f"Skin{c}-material")
    o.w("  </library_materials>\n  <library_geometries>\n")
    counts = []
    for c in range(nchar):
        counts.append(geometry(o, f"Body{c}-mesh", f"Skin{c}-material", rng, NV, "triangles", a.style))
    o.w("  </library_geometries>\n  <library_controllers>\n")
    for c in range(nchar):
        nv = counts[c]
        cid = f"Arm{c}_Body-skin"
        o.w(f'    <controller id="{cid}" name="Arm{c}">\n      <skin source="#Body{c}-mesh">\n'
            '        <bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>\n'
            f'        <source id="{cid}-joints">\n          <Name_array id="{cid}-joints-array" count="{J}">'
            + " ".join(f"c{c}_bone{j}" for j in range(J)) +
            f'</Name_array>\n          <technique_common>\n            <accessor source="#{cid}-joints-array" count="{J}" stride="1">\n'
            '              <param name="JOINT" type="name"/>\n            </accessor>\n          </technique_common>\n        </source>\n'
            f'        <source id="{cid}-bind_poses">\n          <float_array id="{cid}-bind_poses-array" count="{16 * J}">')
        o.floats(matrix_text(rng, J, 2), 16)
        o.w(f'</float_array>\n          <technique_common>\n            <accessor source="#{cid}-bind_poses-array" count="{J}" stride="16">\n'
            '              <param name="TRANSFORM" type="float4x4"/>\n            </accessor>\n          </technique_common>\n        </source>\n')
        w = rng.dirichlet([2, 1, 1, 1], nv).astype(np.float32)
        source(o, f"{cid}-weights", w.reshape(-1), ["WEIGHT"], "blender")
        b = rng.integers(0, J - 4, nv)[:, None] + np.arange(4)[None, :]
        vi = np.stack([b, np.arange(4 * nv).reshape(nv, 4)], -1)
        o.w(f'        <joints>\n          <input semantic="JOINT" source="#{cid}-joints"/>\n'
            f'          <input semantic="INV_BIND_MATRIX" source="#{cid}-bind_poses"/>\n        </joints>\n'
            f'        <vertex_weights count="{nv}">\n          <input semantic="JOINT" source="#{cid}-joints" offset="0"/>\n'
            f'          <input semantic="WEIGHT" source="#{cid}-weights" offset="1"/>\n          <vcount>' + "4 " * nv +
            '</vcount>\n          <v>')
        o.ints(vi)
        o.w("</v>\n        </vertex_weights>\n      </skin>\n    </controller>\n")
    o.w("  </library_controllers>\n  <library_animations>\n")
    times = (np.arange(K) / 24 + 1 / 24).astype(np.float32)

    def names(sid, word):
        o.w(f'        <source id="{sid}">\n          <Name_array id="{sid}-array" count="{K}">' + " ".join([word] * K) +
            f'</Name_array>\n          <technique_common>\n            <accessor source="#{sid}-array" count="{K}" stride="1">\n'
            '              <param name="INTERPOLATION" type="name"/>\n            </accessor>\n          </technique_common>\n        </source>\n')

    def fsrc(sid, arr, stride, params):
        o.w(f'        <source id="{sid}">\n          <float_array id="{sid}-array" count="{arr.size}">')
        o.floats(arr, stride)
        o.w(f'</float_array>\n          <technique_common>\n            <accessor source="#{sid}-array" count="{arr.size // stride}" stride="{stride}">\n')
        for p, t in params:
            o.w(f'              <param name="{p}" type="{t}"/>\n')
        o.w('            </accessor>\n          </technique_common>\n        </source>\n')

    for c in range(nchar):
        for j in range(J):
            t = f"Arm{c}_bone{j}"
            aid = f"{t}_pose_matrix"
            o.w(f'    <animation id="{aid}" name="{t}">\n')
            fsrc(f"{aid}-input", times, 1, [("TIME", "float")])
            fsrc(f"{aid}-output", matrix_text(rng, K, 2), 16, [("TRANSFORM", "float4x4")])
            names(f"{aid}-interpolation", "LINEAR")
            o.w(f'        <sampler id="{aid}-sampler">\n          <input semantic="INPUT" source="#{aid}-input"/>\n'
                f'          <input semantic="OUTPUT" source="#{aid}-output"/>\n'
                f'          <input semantic="INTERPOLATION" source="#{aid}-interpolation"/>\n        </sampler>\n'
                f'        <channel source="#{aid}-sampler" target="{t}/transform"/>\n    </animation>\n')
        for ax in "XYZ":
            aid = f"Arm{c}_location_{ax}"
            o.w(f'    <animation id="{aid}" name="{aid}">\n')
            fsrc(f"{aid}-input", times, 1, [("TIME", "float")])
            fsrc(f"{aid}-output", np.cumsum(rng.standard_normal(K)).astype(np.float32), 1, [(ax, "float")])
            for tan in ("intangent", "outtangent"):
                fsrc(f"{aid}-{tan}", rng.standard_normal((K, 2)).astype(np.float32), 2, [("X", "float"), ("Y", "float")])
            names(f"{aid}-interpolation", "BEZIER")
            o.w(f'        <sampler id="{aid}-sampler">\n          <input semantic="INPUT" source="#{aid}-input"/>\n'
                f'          <input semantic="OUTPUT" source="#{aid}-output"/>\n'
                f'          <input semantic="INTERPOLATION" source="#{aid}-interpolation"/>\n'
                f'          <input semantic="IN_TANGENT" source="#{aid}-intangent"/>\n'
                f'          <input semantic="OUT_TANGENT" source="#{aid}-outtangent"/>\n        </sampler>\n'
                f'        <channel source="#{aid}-sampler" target="Arm{c}/location.{ax}"/>\n    </animation>\n')
    o.w('  </library_animations>\n  <library_visual_scenes>\n    <visual_scene id="Scene" name="Scene">\n')
    for c in range(nchar):
        m = matrix_text(rng, J, 1)
        o.w(f'      <node id="Arm{c}" name="Arm{c}" type="NODE">\n        <translate sid="location">%d %d 0</translate>\n' % (c % 10 * 50, c // 10 * 50))

        def joint(j, depth):
            ind = "  " * (min(depth, 20) + 4)
            o.w(f'{ind}<node id="Arm{c}_bone{j}" name="c{c}_bone{j}" sid="c{c}_bone{j}" type="JOINT">\n{ind}  <matrix sid="transform">')
            o.floats(m[j], 16)
            o.w("</matrix>\n")
            for k in (3 * j + 1, 3 * j + 2, 3 * j + 3):
                if k < J:
                    joint(k, depth + 1)
            o.w(f"{ind}</node>\n")
        joint(0, 0)
        o.w(f'        <node id="Body{c}" name="Body{c}" type="NODE">\n          <instance_controller url="#Arm{c}_Body-skin">\n'
            f'            <skeleton>#Arm{c}_bone0</skeleton>\n{bind(f"Skin{c}-material", "            ")}'
            '          </instance_controller>\n        </node>\n      </node>\n')
    o.w("    </visual_scene>\n  </library_visual_scenes>\n")
    tail(o)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("kind", choices=["mesh", "scene", "anim"])
    p.add_argument("size_mb", type=float)
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--meshes", type=int, default=4)
    p.add_argument("--chars", type=int, default=0)
    p.add_argument("--style", choices=["blender", "fbx"], default="blender")
    a = p.parse_args()
    rng = np.random.default_rng(a.seed)
    o = Out(a.out)
    o.w(HEAD % {"kind": a.kind, "seed": a.seed})
    {"mesh": gen_mesh, "scene": gen_scene, "anim": gen_anim}[a.kind](o, a, rng)
    o.f.close()
    print(f"{a.out}: {o.n} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
