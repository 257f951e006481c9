// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A snapshot that stops once it has enough, of a server that has more.
class tst_Samples : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void aSampleTellsOfTheWhole();
    void moreThanThereAreIsNoSample();
    void memoryEndsItAsWell();
    void aSampleNamesTheFullestAndTheOldest();

private:
    static constexpr int locks = 6000;
    static constexpr int strings = 6000;

    RedisServer m_server;
};

void tst_Samples::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
    std::vector<Command> fill;
    for (int i = 0; i < locks; ++i)
        fill.push_back({"SET", "lock:order:" + QByteArray::number(i),
                        "ef1f63c0-8a3b-4b1e-9a6d-" + QByteArray::number(100'000'000'000 + i), "PX",
                        "600000"});
    for (int i = 0; i < strings; ++i)
        fill.push_back({"SET", "page:" + QByteArray::number(i), "<html></html>"});
    m_server.runAll(fill);
    QCOMPARE(m_server.run({"DBSIZE"}).integer, locks + strings);
}

void tst_Samples::aSampleTellsOfTheWhole()
{
    SnapshotScope scope;
    scope.mostKeys = 3000;
    const TakenSnapshot taken = takeSnapshot(m_server.url(), {}, {}, 30'000, scope);
    QVERIFY(taken.snapshot);
    const QJsonObject scan = taken.scan();
    QVERIFY(scan["keys_scanned"_L1].toInt() >= 3000);
    QVERIFY(scan["keys_scanned"_L1].toInt() < 6000); // slices under way are not waited for
    QCOMPARE(scan["complete"_L1].toBool(), false);
    QCOMPARE(scan["missing"_L1][0]["cause"_L1].toString(), QStringLiteral("stopped"));

    const QJsonObject estimates = taken.root["estimates"_L1].toObject();
    QCOMPARE(estimates["keys"_L1].toInt(), locks + strings);
    QCOMPARE(estimates["sampled"_L1].toInt(), scan["keys_scanned"_L1].toInt());
    const QJsonObject lock = estimates["layouts"_L1][0].toObject();
    QCOMPARE(lock["layout"_L1].toString(), QStringLiteral("set-nx-px"));
    QCOMPARE(lock["seen"_L1].toInt(), int(taken.list("locks").size()));
    // The order of SCAN is another one for each server: twenty times the spread is no chance.
    QVERIFY(qAbs(lock["likely"_L1].toInt() - locks) < 1200);
    QVERIFY(lock["low"_L1].toInt() < lock["likely"_L1].toInt());
    QVERIFY(lock["high"_L1].toInt() > lock["likely"_L1].toInt());
    QCOMPARE(estimates["prefixes"_L1][0]["prefix"_L1].toString(), QStringLiteral("lock:"));
    QVERIFY(taken.text.contains("Estimates for all 12,000 keys"));
    QVERIFY(taken.text.contains("The scan was stopped after"));
}

void tst_Samples::moreThanThereAreIsNoSample()
{
    SnapshotScope scope;
    scope.mostKeys = locks + strings;
    const TakenSnapshot taken = takeSnapshot(m_server.url(), {}, {}, 30'000, scope);
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.scan()["complete"_L1].toBool(), true);
    QCOMPARE(taken.list("locks").size(), qsizetype(locks));
    QVERIFY(!taken.root.contains("estimates"_L1));
    QVERIFY(!taken.text.contains("Estimates"));
}

void tst_Samples::memoryEndsItAsWell()
{
    SnapshotScope scope;
    scope.mostBytes = 1; // less than any program has
    const TakenSnapshot taken = takeSnapshot(m_server.url(), {}, {}, 30'000, scope);
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.scan()["complete"_L1].toBool(), false);
    QVERIFY(taken.scan()["keys_scanned"_L1].toInt() < 3000);
    QVERIFY(taken.root.contains("estimates"_L1));
    QVERIFY(taken.text.contains("the memory limit of 1 bytes was reached"));
}

// Primitives that are declared by their full name are read in every sample.
void tst_Samples::aSampleNamesTheFullestAndTheOldest()
{
    QByteArray toml;
    for (const QByteArray name : {"api:a", "api:b", "api:c"})
        toml += "[[limiter]]\nkey = \"" + name +
                "\"\nlayout = \"rolling-window\"\nlimit = 4\nwindow = \"1h\"\n";
    const qint64 nowMs = serverNowMs(m_server);
    const auto mark = [&](const QByteArray& name, qint64 minutesAgo) {
        const QByteArray at = QByteArray::number(nowMs - minutesAgo * 60'000);
        m_server.run({"ZADD", name, at, at});
    };
    mark("api:a", 1);
    for (const qint64 minutesAgo : {20, 21, 22})
        mark("api:b", minutesAgo);
    for (const qint64 minutesAgo : {5, 6})
        mark("api:c", minutesAgo);
    SnapshotScope scope;
    scope.mostKeys = 3000;
    const TakenSnapshot taken = takeSnapshot(m_server.url(), configOf(toml), {}, 30'000, scope);
    m_server.run({"DEL", "api:a", "api:b", "api:c"});
    QVERIFY(taken.snapshot);
    const QJsonObject estimates = taken.root["estimates"_L1].toObject();
    const auto names = [&](QLatin1StringView list) {
        QStringList all;
        for (const QJsonValue& one : estimates[list].toArray())
            all << one["name"_L1].toString();
        return all;
    };
    QCOMPARE(names("fullest"_L1), QStringList({u"api:b"_s, u"api:c"_s, u"api:a"_s}));
    QCOMPARE(names("oldest"_L1), QStringList({u"api:b"_s, u"api:c"_s, u"api:a"_s}));
    const QJsonObject fullest = estimates["fullest"_L1][0].toObject();
    QCOMPARE(fullest["kind"_L1].toString(), u"limiter"_s);
    QCOMPARE(fullest["layout"_L1].toString(), u"rolling-window"_s);
    QCOMPARE(fullest["used"_L1].toInt(), 3);
    QCOMPARE(fullest["limit"_L1].toInt(), 4);
    const qint64 ageMs = estimates["oldest"_L1][0]["age_ms"_L1].toInteger();
    QVERIFY(ageMs >= 20 * 60'000 && ageMs < 21 * 60'000);
    QVERIFY(taken.text.contains("The fullest of what was seen\n    api:b"));
    QVERIFY(taken.text.contains("3 of 4"));
    QVERIFY(taken.text.contains("The oldest of what was seen\n    api:b"));
    QVERIFY(taken.text.contains("last request 20 m"));
}

LK_TEST(tst_Samples);
#include "tst_samples.moc"
