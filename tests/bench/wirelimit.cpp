// SPDX-License-Identifier: GPL-3.0-or-later
// bench_limit unix PATH | tcp HOST PORT
// The limit of the wire: sends what a snapshot sends for strings, sorted sets and hashes, slice by
// slice, and throws the replies away. Nothing but libc and hiredis: what a snapshot takes more than
// this is its own.
#include <hiredis/hiredis.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr size_t mostNames = 4096; // of one slice; COUNT asks for 500

// The fields by which a layout detects a hash; the benchmark's buckets have all of them.
constexpr const char* fields[] = {"tokens", "last_refill", "capacity"};

redisContext* connectTo(int argc, char** argv)
{
    if (argc == 3 && std::strcmp(argv[1], "unix") == 0)
        return redisConnectUnix(argv[2]);
    if (argc == 4 && std::strcmp(argv[1], "tcp") == 0)
        return redisConnect(argv[2], std::atoi(argv[3]));
    return nullptr;
}

redisReply* nextReply(redisContext* redis)
{
    void* reply = nullptr;
    if (redisGetReply(redis, &reply) != REDIS_OK) {
        std::fprintf(stderr, "%s\n", redis->errstr);
        std::exit(1);
    }
    return static_cast<redisReply*>(reply);
}

void drop(redisContext* redis, size_t replies)
{
    for (; replies > 0; --replies)
        freeReplyObject(nextReply(redis));
}

template<size_t N>
void ask(redisContext* redis, const redisReply* key, const char* const (&rest)[N])
{
    const char* args[N + 1] = {rest[0], key->str};
    size_t sizes[N + 1] = {std::strlen(rest[0]), key->len};
    for (size_t i = 1; i < N; ++i) {
        args[i + 1] = rest[i];
        sizes[i + 1] = std::strlen(rest[i]);
    }
    redisAppendCommandArgv(redis, int(N + 1), args, sizes);
}

void probe(redisContext* redis, const redisReply* key, char type)
{
    if (type == 's')
        ask(redis, key, {"GETRANGE", "0", "127"});
    else if (type == 'z')
        ask(redis, key, {"ZRANGE", "0", "15", "WITHSCORES"});
    else
        ask(redis, key, {"HRANDFIELD", "32"});
    ask(redis, key, {"PTTL"});
}

bool hasFields(const redisReply* names)
{
    for (size_t i = 0; i < names->elements; ++i) {
        if (std::strcmp(names->element[i]->str, fields[0]) == 0)
            return true;
    }
    return false;
}

// The type of all names once the first slices had one type. The snapshot expects it of names of one
// sort, and the benchmark's names are of one sort.
char expected = 0;
int alike = 0;

void askTypes(redisContext* redis, const redisReply* names, size_t count, char* types)
{
    for (size_t i = 0; i < count; ++i)
        ask(redis, names->element[i], {"TYPE"});
    for (size_t i = 0; i < count; ++i) {
        redisReply* type = nextReply(redis);
        types[i] = type->str[0];
        freeReplyObject(type);
        alike = types[i] == expected ? alike + 1 : 0;
        expected = types[i];
    }
}

// Three round trips at most, as the snapshot's.
void readSlice(redisContext* redis, const redisReply* names)
{
    static char types[mostNames];
    static bool further[mostNames];
    const size_t count = names->elements < mostNames ? names->elements : mostNames;
    if (alike < 1000)
        askTypes(redis, names, count, types);
    else
        std::memset(types, expected, count);
    for (size_t i = 0; i < count; ++i)
        probe(redis, names->element[i], types[i]);
    for (size_t i = 0; i < count; ++i) {
        redisReply* content = nextReply(redis);
        further[i] = types[i] == 'h' && hasFields(content);
        freeReplyObject(content);
        drop(redis, 1);
    }
    size_t asked = 0;
    for (size_t i = 0; i < count; ++i) {
        if (further[i])
            ask(redis, names->element[i], {"HMGET", fields[0], fields[1], fields[2]});
        asked += further[i] ? 1 : 0;
    }
    drop(redis, asked);
}

} // namespace

int main(int argc, char** argv)
{
    redisContext* redis = connectTo(argc, argv);
    if (!redis || redis->err) {
        std::fprintf(stderr, "%s\n", redis ? redis->errstr : "unix PATH | tcp HOST PORT");
        return 2;
    }
    char cursor[32] = "0";
    size_t keys = 0;
    do {
        redisAppendCommand(redis, "SCAN %s COUNT 500", cursor);
        redisReply* slice = nextReply(redis);
        if (slice->type != REDIS_REPLY_ARRAY || slice->elements != 2)
            return 1;
        std::snprintf(cursor, sizeof cursor, "%s", slice->element[0]->str);
        keys += slice->element[1]->elements;
        readSlice(redis, slice->element[1]);
        freeReplyObject(slice);
    } while (std::strcmp(cursor, "0") != 0);
    std::printf("%zu keys\n", keys);
    redisFree(redis);
    return 0;
}
