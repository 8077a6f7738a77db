// assimp's lightest import: no flags, so nothing is made of the scene afterwards. Each FILE in turn, in one process.
// `--readable FILE…` prints those that assimp reads instead.
#include <assimp/Importer.hpp>
#include <assimp/scene.h>
#include <cstdio>
#include <cstring>

int main(int count, char **arguments) {
    bool lists = count > 1 && !std::strcmp(arguments[1], "--readable");
    unsigned long vertices = 0, meshes = 0;
    int failed = 0;
    for (int index = lists ? 2 : 1; index < count; index++) {
        Assimp::Importer importer;
        const aiScene *scene = importer.ReadFile(arguments[index], 0);
        if (!scene) {
            if (!lists) std::fprintf(stderr, "%s: %s\n", arguments[index], importer.GetErrorString());
            failed++;
            continue;
        }
        if (lists) std::printf("%s\n", arguments[index]);
        meshes += scene->mNumMeshes;
        for (unsigned mesh = 0; mesh < scene->mNumMeshes; mesh++) vertices += scene->mMeshes[mesh]->mNumVertices;
    }
    if (lists) return 0;
    std::printf("meshes %lu vertices %lu failed %d\n", meshes, vertices, failed);
    return failed > 0;
}
