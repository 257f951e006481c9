// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"

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

QTEST_GUILESS_MAIN(tst_Samples)
#include "tst_samples.moc"
