// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/server/jobdetails.h"
#include "tests/server/libraryfixture.h"

namespace lk::test {

/// Writes a library's queue under a prefix of its own.
using QueueFixture = void (*)(LibraryFixture&, const QByteArray&);

/// The columns that a row of a queue's test has.
inline void addQueueColumns()
{
    QTest::addColumn<QueueFixture>("fixture");
    QTest::addColumn<QByteArray>("space");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("name");
    // ready, processing, delayed, dead, stuck; -1: unknown
    QTest::addColumn<QList<int>>("counts");
    QTest::addColumn<int>("queues"); // that its keys name
}

inline void addQueue(const char* title, QueueFixture fixture, const char* space, const char* layout,
                     const char* name, const QList<int>& counts, int queues = 1)
{
    QTest::newRow(title) << fixture << QByteArray(space) << QByteArray(layout) << QByteArray(name)
                         << counts << queues;
}

/// Writes the row's queue; it is detected as that, and nothing else is.
inline void checkDetectedQueue(RedisServer& server)
{
    QFETCH(const QueueFixture, fixture);
    QFETCH(const QByteArray, space);
    QFETCH(const QByteArray, layout);
    QFETCH(const QByteArray, name);
    QFETCH(const QList<int>, counts);
    QFETCH(const int, queues);
    LibraryFixture redis(server, {});
    fixture(redis, space);

    const TakenSnapshot taken = takeSnapshot(server.url());
    const QJsonObject queue = taken.named("queues", name);
    QVERIFY2(!queue.isEmpty(), taken.text.constData());
    QCOMPARE(queue[u"layout"].toString().toUtf8(), layout);
    QVERIFY(queue[u"confidence"].toDouble() >= 0.9);
    const QList<int> found{queue[u"ready"].toInt(-1), queue[u"processing"].toInt(-1),
                           queue[u"delayed"].toInt(-1), queue[u"dead"].toInt(-1),
                           queue[u"stuck"].toInt(-1)};
    QCOMPARE(found, counts);
    QCOMPARE(taken.names("queues").size(), queues);
    QByteArrayList jobKeys;
    for (const StatePtr& state : taken.snapshot->states) {
        if (state->kind() == Kind::Queue)
            jobKeys += jobKeysOf(server, *state);
    }
    for (const QByteArray& key : jobKeys)
        QVERIFY2(server.run({"EXISTS", key}).integer == 1, key.constData());
    static const QByteArrayList eachItsOwn{"asynq", "arq", "tasktiger", "saq", "hangfire"};
    QCOMPARE(!jobKeys.isEmpty(), eachItsOwn.contains(layout));
    for (const char* kind : {"locks", "limiters", "tokens", "patterns"})
        QVERIFY2(taken.list(kind).isEmpty(), taken.text.constData());
}

} // namespace lk::test
