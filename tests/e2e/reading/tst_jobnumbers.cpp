// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobs.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QRegularExpression>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// The number that `act ... --index` takes is read off `jobs`, whatever state the job is in.
class TestJobNumbers : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    static QByteArray inMs(qint64 ms)
    {
        return QByteArray::number(QDateTime::currentMSecsSinceEpoch() + ms);
    }
    QByteArray jobs();
    static QString numberOf(const QByteArray& text, const QByteArray& state,
                            const QByteArray& payload, const QByteArray& key = {});
    QList<QByteArray> jobsIn(const QByteArray& command);

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.lines({"RPUSH jobs w3 w2 w1", "RPUSH jobs:processing p2 p1",
                        "RPUSH jobs:dead d3 d2 d1",
                        "ZADD jobs:delayed " + inMs(7'200'000) + " late " + inMs(3'600'000) +
                            " soon " + inMs(-60'000) + " due"});
    }
    void aNumberNamesItsJob_data();
    void aNumberNamesItsJob();
    void severalListsAreToldApart();
};

QByteArray TestJobNumbers::jobs()
{
    Program program;
    return program.run({u"jobs"_s, m_server.urlText(), u"jobs"_s}) ? program.out() : program.err();
}

// Below the heading of that state: the number of the job whose digest is the payload's, where
// there are several keys of the one in that key.
QString TestJobNumbers::numberOf(const QByteArray& text, const QByteArray& state,
                                 const QByteArray& payload, const QByteArray& key)
{
    const QString digest = u"%1"_s.arg(fingerprintOf(payload), 16, 16, QLatin1Char('0'));
    const qsizetype from = text.indexOf('\n' + state + ": ");
    if (from < 0)
        return {};
    static const QRegularExpression line(u"^ +(\\d+) +([0-9a-f]{16}) .*$"_s);
    const QList<QByteArray> lines = text.mid(from + 1).split('\n');
    for (const QByteArray& each : lines.mid(2)) {
        const QRegularExpressionMatch match = line.match(QString::fromUtf8(each) + u' ');
        if (!match.hasMatch())
            return {};
        if (match.captured(2) == digest && each.contains(key))
            return match.captured(1);
    }
    return {};
}

QList<QByteArray> TestJobNumbers::jobsIn(const QByteArray& command)
{
    QList<QByteArray> all;
    for (const Reply& item : m_server.line(command).items)
        all << item.text;
    return all;
}

void TestJobNumbers::aNumberNamesItsJob_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("line"); // NUMBER stands for it
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<int>("left");
    QTest::newRow("dead") << QByteArray("dead-lettered") << QByteArray("d2")
                          << u"queue retry jobs --index NUMBER --yes"_s
                          << QByteArray("LRANGE jobs:dead 0 -1") << 2;
    QTest::newRow("delayed") << QByteArray("delayed") << QByteArray("soon")
                             << u"queue promote jobs --index NUMBER --yes"_s
                             << QByteArray("ZRANGE jobs:delayed 0 -1") << 2;
    QTest::newRow("waiting") << QByteArray("waiting") << QByteArray("w3")
                             << u"queue discard jobs --state ready --index NUMBER --yes"_s
                             << QByteArray("LRANGE jobs 0 -1") << 2;
    QTest::newRow("in progress") << QByteArray("in-progress") << QByteArray("p2")
                                 << u"queue requeue jobs --index NUMBER --yes"_s
                                 << QByteArray("LRANGE jobs:processing 0 -1") << 1;
}

void TestJobNumbers::aNumberNamesItsJob()
{
    QFETCH(QByteArray, state);
    QFETCH(QByteArray, payload);
    QFETCH(QString, line);
    QFETCH(QByteArray, from);
    QFETCH(int, left);
    const QByteArray text = jobs();
    const QString number = numberOf(text, state, payload);
    QVERIFY2(!number.isEmpty(), text.constData());
    QVERIFY(!text.contains(payload + '\n')); // payloads are secrets
    QVERIFY2(text.contains(" 59 m") && text.contains(" overdue 1 m"), text.constData());
    Program snapshot;
    QVERIFY(snapshot.run({u"snapshot"_s, m_server.urlText()}));
    QVERIFY(!snapshot.out().contains("digest")); // counts and ages: jobs are another command's
    Program program;
    QVERIFY(program.run(QStringList{u"act"_s, m_server.urlText()} +
                        line.replace(u"NUMBER"_s, number).split(u' ')));
    QVERIFY2(program.exitCode() == 0, (program.err() + program.out()).constData());
    const QList<QByteArray> rest = jobsIn(from);
    QVERIFY(!rest.contains(payload));
    QCOMPARE(rest.size(), left);
}

void TestJobNumbers::severalListsAreToldApart()
{
    m_server.lines(
        {"DEL jobs:processing", "RPUSH jobs:processing:a a2 a1", "RPUSH jobs:processing:b b2 b1"});
    const QByteArray text = jobs();
    const QString number = numberOf(text, "in-progress", "b2", "jobs:processing:b");
    QVERIFY2(!number.isEmpty(), text.constData());
    Program program;
    QVERIFY(program.run({u"act"_s, m_server.urlText(), u"queue"_s, u"requeue"_s, u"jobs"_s,
                         u"--from"_s, u"jobs:processing:b"_s, u"--index"_s, number, u"--yes"_s}));
    QVERIFY2(program.exitCode() == 0, (program.err() + program.out()).constData());
    QCOMPARE(jobsIn("LRANGE jobs:processing:b 0 -1"), QList<QByteArray>{"b1"});
}

LK_TEST(TestJobNumbers);
#include "tst_jobnumbers.moc"
