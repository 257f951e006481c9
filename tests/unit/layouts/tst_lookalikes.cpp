// SPDX-License-Identifier: GPL-3.0-or-later
// A key that only looks like a limiter, a lock, a queue or a token is not detected, whatever its
// name. A key that is one is detected, although its name says little.
#include "tests/support/lookalikes.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 now = 1795223350117;

// The keys of a kind in memory; false for a command whose value the fake cannot hold.
bool put(FakeKeys& keys, const KeyKind& kind)
{
    QMap<QByteArray, qint64> ttls;
    for (const Command& command : kind.commands) {
        const std::vector<QByteArray>& a = command.args();
        if (a[0] == "EXPIRE")
            ttls[a[1]] = a[2].toLongLong() * 1000;
    }
    for (const Command& command : kind.commands) {
        const std::vector<QByteArray>& a = command.args();
        const qint64 ttl = ttls.value(a[1], -1);
        const std::vector<QByteArray> rest(a.begin() + 2, a.end());
        if (a[0] == "SET") {
            const qint64 unit = a.size() > 4 && a[3] == "PX" ? 1 : 1000;
            keys.string(a[1], a[2], a.size() > 4 ? a[4].toLongLong() * unit : -1);
        } else if (a[0] == "ZADD") {
            std::vector<ScoredMember> members;
            for (size_t i = 0; i + 1 < rest.size(); i += 2)
                members.push_back({rest[i + 1], rest[i].toDouble()});
            keys.zset(a[1], members, ttl);
        } else if (a[0] == "HSET") {
            std::vector<std::pair<QByteArray, QByteArray>> fields;
            for (size_t i = 0; i + 1 < rest.size(); i += 2)
                fields.emplace_back(rest[i], rest[i + 1]);
            keys.hash(a[1], fields, ttl);
        } else if (a[0] == "RPUSH" || a[0] == "LPUSH") {
            keys.list(a[1], rest, ttl);
        } else if (a[0] == "SADD") {
            keys.set(a[1], rest);
        } else if (a[0] != "EXPIRE") {
            return false;
        }
    }
    return true;
}

void addRows(const std::vector<KeyKind>& kinds)
{
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < kinds.size(); ++i)
        QTest::newRow(kinds[i].title.constData()) << int(i);
}

QByteArray shown(const Classified& c)
{
    return c.primitive.id.layout + ' ' + QByteArray::number(double(c.primitive.confidence));
}

} // namespace

class TestLookAlikes : public QObject
{
    Q_OBJECT

private slots:
    void thereAreMany();
    void nothingIsClaimed_data() { addRows(lookAlikes(now)); }
    void nothingIsClaimed();
    void whatIsOneIsClaimed_data() { addRows(inconspicuous(now)); }
    void whatIsOneIsClaimed();
};

void TestLookAlikes::thereAreMany()
{
    const std::vector<KeyKind> kinds = lookAlikes(now);
    QVERIFY(kinds.size() >= 60);
    qsizetype keys = 0;
    for (const KeyKind& kind : kinds) {
        QVERIFY2(kind.keys.size() >= 2, kind.title.constData());
        keys += kind.keys.size();
    }
    QVERIFY(keys >= 200);
}

void TestLookAlikes::nothingIsClaimed()
{
    QFETCH(int, index);
    const KeyKind kind = lookAlikes(now)[size_t(index)];
    FakeKeys keys;
    keys.nowMs = now;
    if (!put(keys, kind))
        QSKIP("of a type that the fake does not know; the test with a server has it");
    for (const QByteArray& key : kind.keys) {
        const auto c = keys.classify(key);
        if (c && c->primitive.certainty() != Certainty::Possible)
            QFAIL((key + " as " + shown(*c)).constData());
    }
}

void TestLookAlikes::whatIsOneIsClaimed()
{
    QFETCH(int, index);
    const KeyKind kind = inconspicuous(now)[size_t(index)];
    FakeKeys keys;
    keys.nowMs = now;
    QVERIFY(put(keys, kind));
    for (const QByteArray& key : kind.keys) {
        const auto c = keys.classify(key);
        QVERIFY2(c, key.constData());
        QVERIFY2(c->primitive.certainty() != Certainty::Possible,
                 (key + ' ' + shown(*c)).constData());
        QVERIFY2(c->primitive.id.layout == kind.title, (key + ' ' + shown(*c)).constData());
    }
}

LK_TEST(TestLookAlikes);
#include "tst_lookalikes.moc"
