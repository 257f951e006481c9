// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Looking at what a library keeps takes nothing from it.
class TestReading : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("js");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void theLibraryCountsAsBeforeAndGoesOn_data();
    void theLibraryCountsAsBeforeAndGoesOn();
};

void TestReading::theLibraryCountsAsBeforeAndGoesOn_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("arguments");
    for (const QString& library : {u"bullmq4"_s, u"bullmq5"_s, u"bullmq6"_s})
        QTest::newRow(qPrintable(library))
            << u"js/bullmq.js"_s << QStringList{u"bull"_s, library, u"email"_s};
    for (const QString& library : {u"bull3"_s, u"bull4"_s})
        QTest::newRow(qPrintable(library))
            << u"js/bull.js"_s << QStringList{u"bull"_s, library, u"email"_s};
}

void TestReading::theLibraryCountsAsBeforeAndGoesOn()
{
    QFETCH(const QString, script);
    QFETCH(const QStringList, arguments);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(script, arguments);
    QVERIFY2(!before.isEmpty(), client.output());
    QVERIFY(takeSnapshot(m_server.url()).snapshot);
    QCOMPARE(client.ask("count"), before);
    QCOMPARE(client.ask("work 1")["ended"_L1].toArray().size(), 1);
    QVERIFY(takeSnapshot(m_server.url()).snapshot);
    // The process that had a job in progress is gone; the library finds that out by itself.
    client.die();
    ClientProcess next(m_server);
    QVERIFY2(!next.start(script, arguments + QStringList{u"join"_s}).isEmpty(), next.output());
    QVERIFY(takeSnapshot(m_server.url()).snapshot);
    QCOMPARE(next.ask("stalled")["stalled"_L1].toArray().size(), 1);
}

LK_TEST(TestReading);
#include "tst_reading.moc"
