// What assimp makes of .glb files: peer_assimp FILE…; a line of JSON for each. No step after the import: it would join,
// split and drop.
#include <algorithm>
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <cmath>
#include <cstdio>
#include <string>

struct Seen {
    unsigned long nodes = 0, triangles = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
};

static void walk(const aiScene *scene, const aiNode *node, const aiMatrix4x4t<double> &around, Seen &seen) {
    const auto &own = node->mTransformation;
    const aiMatrix4x4t<double> world = around * aiMatrix4x4t<double>(own.a1, own.a2, own.a3, own.a4, own.b1, own.b2, own.b3,
        own.b4, own.c1, own.c2, own.c3, own.c4, own.d1, own.d2, own.d3, own.d4);
    seen.nodes++;
    for (unsigned place = 0; place < node->mNumMeshes; place++) {
        const aiMesh *mesh = scene->mMeshes[node->mMeshes[place]];
        for (unsigned face = 0; face < mesh->mNumFaces; face++) seen.triangles += mesh->mFaces[face].mNumIndices == 3;
        for (unsigned vertex = 0; vertex < mesh->mNumVertices; vertex++) {
            const auto &point = mesh->mVertices[vertex];
            const aiVector3t<double> moved = world * aiVector3t<double>(point.x, point.y, point.z);
            for (unsigned axis = 0; axis < 3; axis++) {
                seen.low[axis] = std::min(seen.low[axis], moved[axis]);
                seen.high[axis] = std::max(seen.high[axis], moved[axis]);
            }
        }
    }
    for (unsigned child = 0; child < node->mNumChildren; child++) walk(scene, node->mChildren[child], world, seen);
}

int main(int count, char **arguments) {
    for (int index = 1; index < count; index++) {
        Assimp::Importer importer;
        const aiScene *scene = importer.ReadFile(arguments[index], 0);
        if (!scene) {
            std::string error = importer.GetErrorString();
            for (char &letter : error)
                if (letter == '"' || letter == '\\' || letter < ' ') letter = ' ';
            std::printf("{\"error\": \"%s\"}\n", error.c_str());
            continue;
        }
        Seen seen;
        walk(scene, scene->mRootNode, {}, seen);
        std::printf("{\"triangles\": %lu, \"min\": [%.17g, %.17g, %.17g], \"max\": [%.17g, %.17g, %.17g], \"nodes\": %lu, "
                    "\"animations\": %u, \"materials\": %u}\n",
            seen.triangles, seen.low[0], seen.low[1], seen.low[2], seen.high[0], seen.high[1], seen.high[2], seen.nodes,
            scene->mNumAnimations, scene->mNumMaterials);
        std::fflush(stdout);
    }
}
