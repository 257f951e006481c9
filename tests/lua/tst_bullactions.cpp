// SPDX-License-Identifier: GPL-3.0-or-later
#include "actionrunner.h"
#include "tests/support/testprogram.h"

using namespace lk;

namespace {

// BullMQ: the queue's own keys, then those of each job.
QByteArray mqKeys(const QByteArray& ids, const QByteArray& parts)
{
    QByteArray keys = "b:q:meta b:q:wait b:q:paused b:q:active b:q:prioritized b:q:pc b:q:marker "
                      "b:q:events b:q:delayed b:q:failed b:q:completed b:q:waiting-children "
                      "b:q:stalled b:q:repeat";
    for (const QByteArray& id : ids.split(' ')) {
        keys += " b:q:" + id;
        for (const QByteArray& part : parts.split(' '))
            keys += " b:q:" + id + ':' + part;
    }
    return keys;
}

QByteArray mqMoved(const QByteArray& ids)
{
    return mqKeys(ids, "lock");
}

QByteArray mqRemoved(const QByteArray& ids)
{
    return mqKeys(ids, "lock logs dependencies processed failed unsuccessful");
}

// "5 retry", the ids, and where a verb asks for relatives that each job has none.
QByteArray withRelatives(const QByteArray& verb, const QByteArray& ids, const QByteArray& none)
{
    const auto count = ids.isEmpty() ? 0 : ids.count(' ') + 1;
    QByteArray args = verb + ' ' + QByteArray::number(count) + ' ' + ids;
    for (qsizetype i = 0; !none.isEmpty() && i < count; ++i)
        args += ' ' + none;
    return args;
}

QByteArray mqArgs(const QByteArray& verb, const QByteArray& ids)
{
    const bool related =
        verb.contains("retry") || verb.contains("remove") || verb.contains("clean");
    return withRelatives(verb, ids, related ? "0\\x200" : "");
}

QByteArray bullArgs(const QByteArray& verb, const QByteArray& ids)
{
    const bool removes = verb.contains("remove") || verb.contains("clean");
    return withRelatives(verb, ids, removes ? "0\\x200" : "");
}

// With the keys of a job's relatives behind those of one job that is moved or removed.
const QByteArray mqDedup = " b:q:de:x b:q:dn:x";
const QByteArray mqParent = " b:p:7 b:p:7:dependencies b:p:7:failed b:p:7:unsuccessful b:p:meta "
                            "b:p:active b:p:wait b:p:paused b:p:marker b:p:events "
                            "b:p:waiting-children";
const QByteArray ofMoved = "0\\x200\\x2017\\x2018\\x2019\\x2020\\x2021\\x2022\\x2023\\x2024\\x2025"
                           "\\x2026\\x2027";
const QByteArray ofRemoved =
    "0\\x200\\x2022\\x2023\\x2024\\x2025\\x2026\\x2027\\x2028\\x2029\\x2030"
    "\\x2031\\x2032";

QByteArray bullKeys(const QByteArray& ids)
{
    QByteArray keys = "b:q:wait b:q:paused b:q:active b:q:delayed b:q:failed b:q:completed "
                      "b:q:priority b:q:stalled b:q:meta-paused b:q:limiter:index";
    for (const QByteArray& id : ids.split(' '))
        keys += " b:q:" + id + " b:q:" + id + ":lock b:q:" + id + ":logs";
    return keys;
}

const QByteArray mq = "HSET b:q:meta version bullmq:5.1.0 opts.maxLenEvents 100 | ";
const QByteArray paused = "HSET b:q:meta paused 1 | ";
const QByteArray failed = "ZADD b:q:failed 5 1 6 2 | HSET b:q:1 name mail failedReason x "
                          "finishedOn 5 processedOn 4 | HSET b:q:2 name mail failedReason x | ";
const QByteArray parent = "HSET b:q:1 parentKey b:p:7 | HSET b:p:7 name x | HSET b:p:meta version "
                          "bullmq:5.1.0 | SADD b:p:7:dependencies b:q:1 | "
                          "ZADD b:p:waiting-children 5 7 | ";
const QByteArray later = "ZADD b:q:delayed 7 1 | HSET b:q:1 name mail delay 500 | ";
const QByteArray active = "RPUSH b:q:active 2 1 | HSET b:q:1 name mail | HSET b:q:2 name mail | "
                          "SET b:q:2:lock w:1 | SADD b:q:stalled 1 2 | ";
const QByteArray pauseKeys = "b:q:meta b:q:wait b:q:paused b:q:prioritized b:q:delayed b:q:marker "
                             "b:q:events";
const QByteArray bullPauseKeys = "b:q:wait b:q:paused b:q:meta-paused b:q:meta";

const QByteArray mqAdded = "b:q:meta b:q:wait b:q:paused b:q:active b:q:marker b:q:events b:q:id "
                           "b:q:x1";
const QByteArray bullAdded = "b:q:wait b:q:paused b:q:meta-paused b:q:id b:q:x1";

const ActionCases cases{
    {"both", "bullmq-jobs", mq + failed + "RPUSH b:q:wait 9", mqMoved("1 2"),
     mqArgs("5 retry", "1 2"), "done 2 11", "conflict", "LRANGE b:q:wait 0 -1", "2 1 9"},
    {"one is not failed", "bullmq-jobs", mq + failed, mqMoved("1 7"), mqArgs("5 retry", "1 7"),
     "done 1 10", "conflict", "HGETALL b:q:1", "name mail"},
    {"wakes a worker", "bullmq-jobs", mq + failed, mqMoved("1"), mqArgs("5 retry", "1"), "done 1 1",
     "conflict", "ZRANGE b:q:marker 0 -1 WITHSCORES", "0 0"},
    {"of version 4 no marker", "bullmq-jobs", mq + failed, mqMoved("1"), mqArgs("4 retry", "1"),
     "done 1 1", "conflict", "EXISTS b:q:marker", "0"},
    {"into a paused queue", "bullmq-jobs", mq + paused + failed, mqMoved("1"),
     mqArgs("5 retry", "1"), "done 1 1", "conflict", "LRANGE b:q:paused 0 -1", "1"},
    {"into a paused queue of 6", "bullmq-jobs", mq + paused + failed, mqMoved("1"),
     mqArgs("6 retry", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "1"},
    {"by priority", "bullmq-jobs", mq + failed + "HSET b:q:1 priority 2", mqMoved("1"),
     mqArgs("6 retry", "1"), "done 1 1", "conflict", "ZRANGE b:q:prioritized 0 -1 WITHSCORES",
     "1 8589934593"},
    {"last in, first out", "bullmq-jobs",
     mq + failed + "HSET b:q:1 opts {\\x22lifo\\x22:true} | RPUSH b:q:wait 9", mqMoved("1"),
     mqArgs("5 retry", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "9 1"},
    {"none is failed", "bullmq-jobs", mq + failed, mqMoved("3"), mqArgs("5 retry", "3"),
     "conflict"},
    {"twice the same", "bullmq-jobs", mq + failed, mqMoved("1 1"), mqArgs("5 retry", "1 1"),
     "done 1 10", "conflict", "LLEN b:q:wait", "1"},

    {"promote", "bullmq-jobs", mq + later + "RPUSH b:q:wait 0:99", mqMoved("1"),
     mqArgs("5 promote", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "1"},
    {"promote by priority", "bullmq-jobs", mq + later + "HSET b:q:1 priority 1 | SET b:q:pc 4",
     mqMoved("1"), mqArgs("4 promote", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "0:0"},
    {"promote what is not delayed", "bullmq-jobs", mq + failed, mqMoved("1"),
     mqArgs("5 promote", "1"), "conflict"},

    {"requeue", "bullmq-jobs", mq + active + "RPUSH b:q:wait 9", mqMoved("1"),
     mqArgs("5 requeue", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "9 1"},
    {"requeue counts", "bullmq-jobs", mq + active, mqMoved("1"), mqArgs("5 requeue", "1"),
     "done 1 1", "conflict", "HGET b:q:1 stc", "1"},
    {"requeue counts in 4", "bullmq-jobs", mq + active, mqMoved("1"), mqArgs("4 requeue", "1"),
     "done 1 1", "conflict", "HGET b:q:1 stalledCounter", "1"},
    {"requeue with a living worker", "bullmq-jobs", mq + active, mqMoved("2"),
     mqArgs("5 requeue", "2"), "conflict"},

    {"remove failed", "bullmq-jobs", mq + failed + "RPUSH b:q:1:logs a", mqRemoved("1"),
     mqArgs("5 remove", "1"), "done 1 1", "conflict", "EXISTS b:q:1 b:q:1:logs", "0"},
    {"remove waiting", "bullmq-jobs", mq + "RPUSH b:q:wait 1 2 | HSET b:q:1 name x", mqRemoved("1"),
     mqArgs("5 remove", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "2"},
    {"remove in progress", "bullmq-jobs", mq + active, mqRemoved("1"), mqArgs("5 remove", "1"),
     "conflict"},
    {"remove with another parent", "bullmq-jobs", mq + failed + "HSET b:q:1 parentKey b:p:1",
     mqRemoved("1"), mqArgs("5 remove", "1"), "conflict"},
    {"remove the last child", "bullmq-jobs", mq + failed + parent, mqRemoved("1") + mqParent,
     "5 remove 1 1 " + ofRemoved, "done 1 1", "conflict", "LRANGE b:p:wait 0 -1", "7"},
    {"remove the last child of a paused queue", "bullmq-jobs",
     mq + failed + parent + "HSET b:p:meta paused 1", mqRemoved("1") + mqParent,
     "5 remove 1 1 " + ofRemoved, "done 1 1", "conflict", "LRANGE b:p:paused 0 -1", "7"},
    {"remove an orphan", "bullmq-jobs", mq + failed + "HSET b:q:1 parentKey b:p:7",
     mqRemoved("1") + mqParent, "5 remove 1 1 " + ofRemoved, "done 1 1", "conflict",
     "EXISTS b:q:1 b:p:wait b:p:events", "0"},
    {"remove with its deduplication key", "bullmq-jobs",
     mq + failed + "HSET b:q:1 deid x | SET b:q:de:x 1 | HSET b:q:dn:x name y",
     mqRemoved("1") + mqDedup, "6 remove 1 1 22\\x2023", "done 1 1", "conflict",
     "EXISTS b:q:1 b:q:de:x b:q:dn:x", "0"},
    {"remove with the deduplication key of another", "bullmq-jobs",
     mq + failed + "HSET b:q:1 deid x | SET b:q:de:x 2 | HSET b:q:dn:x name y",
     mqRemoved("1") + mqDedup, "5 remove 1 1 22\\x2023", "done 1 1", "conflict",
     "EXISTS b:q:de:x b:q:dn:x", "2"},
    {"remove with another deduplication key", "bullmq-jobs", mq + failed + "HSET b:q:1 deid y",
     mqRemoved("1") + mqDedup, "5 remove 1 1 22\\x2023", "conflict"},
    {"remove the next of a scheduler", "bullmq-jobs",
     mq + "ZADD b:q:repeat 70 s | ZADD b:q:delayed 5 repeat:s:70 | HSET b:q:repeat:s:70 rjk s",
     mqRemoved("repeat:s:70"), mqArgs("5 remove", "repeat:s:70"), "conflict"},
    {"remove one of a scheduler", "bullmq-jobs",
     mq + "ZADD b:q:repeat 80 s | ZADD b:q:failed 5 repeat:s:70 | HSET b:q:repeat:s:70 rjk s",
     mqRemoved("repeat:s:70"), mqArgs("5 remove", "repeat:s:70"), "done 1 1", "conflict",
     "EXISTS b:q:repeat:s:70 b:q:failed", "0"},
    {"retry an ignored child", "bullmq-jobs",
     mq + failed + parent + "SREM b:p:7:dependencies b:q:1 | HSET b:p:7:failed b:q:1 boom",
     mqMoved("1") + mqParent, "6 retry 1 1 " + ofMoved, "done 1 1", "conflict",
     "SMEMBERS b:p:7:dependencies", "b:q:1"},
    {"retry an unsuccessful child", "bullmq-jobs",
     mq + failed + parent + "SREM b:p:7:dependencies b:q:1 | ZADD b:p:7:unsuccessful 5 b:q:1",
     mqMoved("1") + mqParent, "5 retry 1 1 " + ofMoved, "done 1 1", "conflict",
     "EXISTS b:p:7:dependencies b:p:7:unsuccessful", "1"},
    {"retry a child of no parent", "bullmq-jobs", mq + failed + "HSET b:q:1 parentKey b:p:7",
     mqMoved("1") + mqParent, "6 retry 1 1 " + ofMoved, "done 1 1", "conflict",
     "EXISTS b:p:7:dependencies", "0"},
    {"clean the last child", "bullmq-jobs", mq + failed + parent, mqRemoved("1") + mqParent,
     "5 clean\\x209 1 1 " + ofRemoved, "conflict"},
    {"clean with its deduplication key", "bullmq-jobs",
     mq + failed + "HSET b:q:1 deid x | SET b:q:de:x 1", mqRemoved("1") + mqDedup,
     "5 clean\\x209 1 1 22\\x2023", "done 1 1", "conflict", "EXISTS b:q:1 b:q:de:x", "0"},
    {"remove a parent", "bullmq-jobs", mq + failed + "SADD b:q:1:dependencies x", mqRemoved("1"),
     mqArgs("5 remove", "1"), "conflict"},

    {"fail", "bullmq-jobs", mq + active, mqMoved("1"), mqArgs("5 fail", "1"), "done 1 1",
     "conflict", "ZRANGE b:q:failed 0 -1", "1"},
    {"fail says why", "bullmq-jobs", mq + active, mqMoved("1"), mqArgs("4 fail", "1"), "done 1 1",
     "conflict", "HMGET b:q:1 failedReason stalledCounter",
     "job\\x20stalled\\x20more\\x20than\\x20allowable\\x20limit 1"},
    {"fail makes room", "bullmq-jobs",
     mq + active + "RPUSH b:q:wait 9 | HSET b:q:meta concurrency 2", mqMoved("1"),
     mqArgs("5 fail", "1"), "done 1 1", "conflict", "ZRANGE b:q:marker 0 -1", "0"},
    {"fail with a living worker", "bullmq-jobs", mq + active, mqMoved("2"), mqArgs("5 fail", "2"),
     "conflict"},
    {"fail a child", "bullmq-jobs", mq + active + "HSET b:q:1 parentKey b:p:1", mqMoved("1"),
     mqArgs("5 fail", "1"), "conflict"},
    {"fail with a key against doubles", "bullmq-jobs", mq + active + "HSET b:q:1 deid x",
     mqMoved("1"), mqArgs("5 fail", "1"), "conflict"},
    {"fail what waits", "bullmq-jobs", mq + "RPUSH b:q:wait 1 | HSET b:q:1 name x", mqMoved("1"),
     mqArgs("5 fail", "1"), "conflict"},

    {"clean", "bullmq-jobs", mq + failed + "RPUSH b:q:1:logs a", mqRemoved("1 2"),
     mqArgs("5 clean\\x206", "1 2"), "done 2 11", "conflict",
     "EXISTS b:q:1 b:q:1:logs b:q:2 b:q:failed", "0"},
    {"clean tells once", "bullmq-jobs", mq + failed + "XADD b:q:events 1-1 event added",
     mqRemoved("1 2"), mqArgs("5 clean\\x206", "1 2"), "done 2 11", "conflict", "XLEN b:q:events",
     "2"},
    {"clean what ended anew", "bullmq-jobs", mq + failed, mqRemoved("1 2"),
     mqArgs("5 clean\\x205", "1 2"), "done 1 10", "conflict", "ZRANGE b:q:failed 0 -1", "2"},
    {"clean what waits", "bullmq-jobs", mq + "RPUSH b:q:wait 1 | HSET b:q:1 name x", mqRemoved("1"),
     mqArgs("5 clean\\x209", "1"), "conflict"},
    {"clean a parent", "bullmq-jobs", mq + failed + "SADD b:q:1:dependencies x", mqRemoved("1"),
     mqArgs("5 clean\\x209", "1"), "conflict"},
    {"clean without a moment", "bullmq-jobs", mq + failed, mqRemoved("1"), mqArgs("5 clean", "1"),
     "refused argument"},
    {"a moment for another verb", "bullmq-jobs", mq + failed, mqRemoved("1"),
     mqArgs("5 remove\\x209", "1"), "refused argument"},

    {"add", "bullmq-add", mq + "RPUSH b:q:wait 9", mqAdded, "5 x1 mail {} {}", "done 1", "conflict",
     "LRANGE b:q:wait 0 -1", "x1 9"},
    {"add writes the job", "bullmq-add", mq, mqAdded, "4 x1 mail {} {}", "done 1", "conflict",
     "HMGET b:q:x1 name data opts delay priority", "mail {} {} 0 0"},
    {"add counts", "bullmq-add", mq + "SET b:q:id 7", mqAdded, "5 x1 mail {} {}", "done 1",
     "conflict", "GET b:q:id", "8"},
    {"add wakes", "bullmq-add", mq, mqAdded, "6 x1 mail {} {}", "done 1", "conflict",
     "ZRANGE b:q:marker 0 -1", "0"},
    {"add tells", "bullmq-add", mq, mqAdded, "5 x1 mail {} {}", "done 1", "conflict",
     "XLEN b:q:events", "2"},
    {"add to a paused queue", "bullmq-add", mq + paused, mqAdded, "5 x1 mail {} {}", "done 1",
     "conflict", "LRANGE b:q:paused 0 -1", "x1"},
    {"add to a paused queue of 6", "bullmq-add", mq + paused, mqAdded, "6 x1 mail {} {}", "done 1",
     "conflict", "EXISTS b:q:paused b:q:marker", "0"},
    {"add to a full queue", "bullmq-add", mq + "HSET b:q:meta concurrency 1 | RPUSH b:q:active 3",
     mqAdded, "5 x1 mail {} {}", "done 1", "conflict", "EXISTS b:q:marker", "0"},
    {"add what is there", "bullmq-add", mq + "HSET b:q:x1 name old", mqAdded, "5 x1 mail {} {}",
     "conflict"},
    {"add to no queue", "bullmq-add", "", mqAdded, "5 x1 mail {} {}", "refused missing"},
    {"add to a string", "bullmq-add", mq + "SET b:q:wait x", mqAdded, "5 x1 mail {} {}",
     "refused type"},
    {"add for an unknown version", "bullmq-add", mq, mqAdded, "7 x1 mail {} {}", "refused version"},
    {"add too little", "bullmq-add", mq, mqAdded, "5 x1 mail {}", "refused argument"},

    {"missing", "bullmq-jobs", failed, mqMoved("1"), mqArgs("5 retry", "1"), "refused missing"},
    {"wrong type", "bullmq-jobs", "SET b:q:meta x", mqMoved("1"), mqArgs("5 retry", "1"),
     "refused type"},
    {"an unknown version", "bullmq-jobs", mq + failed, mqMoved("1"), mqArgs("7 retry", "1"),
     "refused version"},
    {"no verb", "bullmq-jobs", mq + failed, mqMoved("1"), mqArgs("5 shout", "1"),
     "refused argument"},
    {"no job", "bullmq-jobs", mq + failed, mqMoved("1"), mqArgs("5 retry", ""), "refused argument"},

    {"pause", "bullmq-pause", mq + "RPUSH b:q:wait 1 2", pauseKeys, "5 pause", "done 1",
     "conflict 1", "LRANGE b:q:paused 0 -1", "1 2"},
    {"pause 6", "bullmq-pause", mq + "RPUSH b:q:wait 1 2", pauseKeys, "6 pause", "done 1",
     "conflict 1", "LRANGE b:q:wait 0 -1", "1 2"},
    {"resume", "bullmq-pause", mq + paused + "RPUSH b:q:paused 1 2", pauseKeys, "5 resume",
     "done 1", "conflict 0", "LRANGE b:q:wait 0 -1", "1 2"},
    {"resume with an old list", "bullmq-pause",
     mq + paused + "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", pauseKeys, "6 resume", "done 1",
     "conflict 0", "LRANGE b:q:wait 0 -1", "2 1"},
    {"gather an old list", "bullmq-pause",
     mq + paused + "RPUSH b:q:paused 3 2 1 | RPUSH b:q:wait 5 4", pauseKeys, "6 gather", "done 3",
     "done 0", "LRANGE b:q:wait 0 -1", "5 4 3 2 1"},
    {"gather while it goes on", "bullmq-pause", mq + "RPUSH b:q:paused 1 | RPUSH b:q:wait 2",
     pauseKeys, "6 gather", "conflict 0"},
    {"gather of a version that has the list", "bullmq-pause", mq + paused, pauseKeys, "5 gather",
     "refused version"},
    {"resume wakes for what is due next", "bullmq-pause", mq + paused + "ZADD b:q:delayed 8192 1",
     pauseKeys, "5 resume", "done 1", "conflict 0", "ZRANGE b:q:marker 0 -1 WITHSCORES", "1 2"},
    {"both lists", "bullmq-pause", mq + "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", pauseKeys,
     "5 pause", "refused both"},
    {"no queue", "bullmq-pause", "", pauseKeys, "5 pause", "refused missing"},
    {"no verb", "bullmq-pause", mq, pauseKeys, "5 stop", "refused argument"},
    {"an unknown version", "bullmq-pause", mq, pauseKeys, "3 pause", "refused version"},

    {"both", "bull-jobs", failed + "RPUSH b:q:wait 9", bullKeys("1 2"), bullArgs("retry", "1 2"),
     "done 2 11", "conflict", "LRANGE b:q:wait 0 -1", "2 1 9"},
    {"into a paused queue", "bull-jobs", failed + "SET b:q:meta-paused 1", bullKeys("1"),
     bullArgs("retry", "1"), "done 1 1", "conflict", "LRANGE b:q:paused 0 -1", "1"},
    {"promote", "bull-jobs", later + "RPUSH b:q:wait 9", bullKeys("1"), bullArgs("promote", "1"),
     "done 1 1", "conflict", "LRANGE b:q:wait 0 -1", "1 9"},
    {"promote by priority", "bull-jobs",
     later + "HSET b:q:1 priority 1 | RPUSH b:q:wait 9 8 | ZADD b:q:priority 2 9 3 8",
     bullKeys("1"), bullArgs("promote", "1"), "done 1 1", "conflict", "LRANGE b:q:wait 0 -1",
     "9 8 1"},
    {"requeue", "bull-jobs", active, bullKeys("1"), bullArgs("requeue", "1"), "done 1 1",
     "conflict", "LRANGE b:q:wait 0 -1", "1"},
    {"requeue with a living worker", "bull-jobs", active, bullKeys("2"), bullArgs("requeue", "2"),
     "conflict"},
    {"remove", "bull-jobs", failed, bullKeys("1"), bullArgs("remove", "1"), "done 1 1", "conflict",
     "EXISTS b:q:1", "0"},
    {"remove with its debounce key", "bull-jobs", failed + "HSET b:q:1 deid x | SET b:q:de:x 1",
     bullKeys("1") + " b:q:de:x", "remove 1 1 14\\x200", "done 1 1", "conflict",
     "EXISTS b:q:1 b:q:de:x", "0"},
    {"remove with another debounce key", "bull-jobs", failed + "HSET b:q:1 deid y",
     bullKeys("1") + " b:q:de:x", "remove 1 1 14\\x200", "conflict"},
    {"remove what a limiter holds back", "bull-jobs",
     failed + "HSET b:q:limiter:index 1 b:q:limiter:g | SADD b:q:limiter:g 1 2",
     bullKeys("1") + " b:q:limiter:g", "remove 1 1 0\\x2014", "done 1 1", "conflict",
     "SMEMBERS b:q:limiter:g", "2"},
    {"fail", "bull-jobs", active, bullKeys("1"), bullArgs("fail", "1"), "done 1 1", "conflict",
     "ZRANGE b:q:failed 0 -1", "1"},
    {"fail with a living worker", "bull-jobs", active, bullKeys("2"), bullArgs("fail", "2"),
     "conflict"},
    {"fail with a key against doubles", "bull-jobs", active + "HSET b:q:1 deid x", bullKeys("1"),
     bullArgs("fail", "1"), "conflict"},
    {"clean", "bull-jobs", failed + "ZADD b:q:priority 1 1", bullKeys("1 2"),
     bullArgs("clean\\x205", "1 2"), "done 1 10", "conflict", "EXISTS b:q:1 b:q:priority", "0"},
    {"clean what waits", "bull-jobs", "RPUSH b:q:wait 1 | HSET b:q:1 name x", bullKeys("1"),
     bullArgs("clean\\x209", "1"), "conflict"},
    {"clean without a moment", "bull-jobs", failed, bullKeys("1"), bullArgs("clean", "1"),
     "refused argument"},

    {"add", "bull-add", "RPUSH b:q:wait 9", bullAdded, "x1 mail {} {}", "done 1", "conflict",
     "LRANGE b:q:wait 0 -1", "x1 9"},
    {"add writes the job", "bull-add", "", bullAdded, "x1 mail {} {}", "done 1", "conflict",
     "HMGET b:q:x1 name data opts delay priority", "mail {} {} 0 0"},
    {"add to a paused queue", "bull-add", "SET b:q:meta-paused 1", bullAdded, "x1 mail {} {}",
     "done 1", "conflict", "LRANGE b:q:paused 0 -1", "x1"},
    {"add what is there", "bull-add", "HSET b:q:x1 name old", bullAdded, "x1 mail {} {}",
     "conflict"},
    {"add to a string", "bull-add", "SET b:q:wait x", bullAdded, "x1 mail {} {}", "refused type"},
    {"add too little", "bull-add", "", bullAdded, "x1 mail {}", "refused argument"},

    {"a string", "bull-jobs", "SET b:q:wait 1", bullKeys("1"), bullArgs("retry", "1"),
     "refused type"},
    {"nothing there", "bull-jobs", "", bullKeys("1"), bullArgs("retry", "1"), "conflict"},
    {"no verb", "bull-jobs", failed, bullKeys("1"), bullArgs("shout", "1"), "refused argument"},

    {"pause", "bull-pause", "RPUSH b:q:wait 1", bullPauseKeys, "pause", "done 1", "conflict 1",
     "LRANGE b:q:paused 0 -1", "1"},
    {"resume", "bull-pause", "RPUSH b:q:paused 1 | SET b:q:meta-paused 1 | HSET b:q:meta paused 1",
     bullPauseKeys, "resume", "done 1", "conflict 0", "LRANGE b:q:wait 0 -1", "1"},
    {"both lists", "bull-pause", "RPUSH b:q:paused 1 | RPUSH b:q:wait 2", bullPauseKeys, "pause",
     "refused both"},
    {"wrong type", "bull-pause", "SET b:q:meta x", bullPauseKeys, "pause", "refused type"},
    {"no verb", "bull-pause", "", bullPauseKeys, "stop", "refused argument"},
};

} // namespace

class tst_BullActions : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_old.pretendToBeOld();
        QVERIFY(m_redis.start() && m_old.start());
    }

    void scripts_data() { addCases(cases); }
    void scripts()
    {
        QFETCH(int, index);
        QFETCH(bool, old);
        checkCase(old ? m_old : m_redis, cases[size_t(index)]);
    }

private:
    ActionRunner m_redis;
    ActionRunner m_old;
};

LK_TEST(tst_BullActions);
#include "tst_bullactions.moc"
