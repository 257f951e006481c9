// SPDX-License-Identifier: GPL-3.0-or-later
// `lockkeeper history` reports events that were recorded earlier.
#include "backend/history/recordqueries.h"
#include "backend/session/deploymentkey.h"
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int patienceMs = 60'000;

} // namespace

class TestHistory : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void cleanup() { m_recorder.reset(); }
    void fromWhenToWhenAQueueWasPaused();
    void howEachHoldOfALockEnded();
    void aTokenIsFoundByItsWholeCode();

private:
    QString store() const { return m_folder->filePath(u"history.db"_s); }
    bool record();
    bool endRecording();
    QByteArray told(const QString& name, const QString& format);
    bool happened(const PrimitiveId& id, EventType type);
    bool isHeldBy(const QByteArray& owner);
    template<typename Ask> bool untilRecorded(Ask ask);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Program> m_recorder;
    RedisServer m_server;
};

void TestHistory::init()
{
    m_server.flush();
    m_folder = std::make_unique<QTemporaryDir>();
}

// Records with the journal of the user who acts.
bool TestHistory::record()
{
    m_recorder = std::make_unique<Program>();
    m_recorder->set("XDG_DATA_HOME", m_folder->path());
    return m_recorder->start({u"record"_s, m_server.urlText(), u"--store"_s, store()}) &&
           waitUntil(
               [this] { return (m_recorder->out() + m_recorder->err()).contains("Recording "); },
               patienceMs);
}

bool TestHistory::endRecording()
{
    ::kill(pid_t(m_recorder->process.processId()), SIGTERM);
    return m_recorder->waitForEnd(patienceMs) && m_recorder->exitCode() == 0;
}

QByteArray TestHistory::told(const QString& name, const QString& format)
{
    Program program;
    const bool ran =
        program.run({u"history"_s, name, u"--store"_s, store(), u"--format"_s, format});
    return ran && program.exitCode() == 0 ? program.out() : "failed: " + program.err();
}

template<typename Ask> bool TestHistory::untilRecorded(Ask ask)
{
    const QByteArray key = recordedDeployment(m_server.url(), nullptr).key;
    return waitUntil(
        [&] {
            RecordQueries queries(store());
            return queries.open() && ask(queries, key);
        },
        patienceMs);
}

bool TestHistory::happened(const PrimitiveId& id, EventType type)
{
    return untilRecorded([&](RecordQueries& queries, const QByteArray& key) {
        return !queries.events({.deployment = key, .primitive = id, .types = {type}}).empty();
    });
}

bool TestHistory::isHeldBy(const QByteArray& owner)
{
    return untilRecorded([&](RecordQueries& queries, const QByteArray& key) {
        const auto holds = queries.openHolds(key);
        return std::any_of(holds.begin(), holds.end(),
                           [&](const RecordedHold& hold) { return hold.owner == owner; });
    });
}

// As BullMQ pauses a queue: what waits moves to another list, and "meta" says so.
void TestHistory::fromWhenToWhenAQueueWasPaused()
{
    m_server.lines({"HSET bull:email:meta version bullmq:5.34.0 opts.maxLenEvents 10000",
                    "XADD bull:email:events * event added jobId 1",
                    "HSET bull:email:1 name send data {} opts {} timestamp 1700000000000",
                    "LPUSH bull:email:wait 1"});
    QVERIFY2(record(), m_recorder->err().constData());
    const PrimitiveId queue{"bullmq", "bull:email"};
    QVERIFY(happened(queue, EventType::PrimitiveSeen));
    const auto nowMs = [] { return QDateTime::currentMSecsSinceEpoch(); };
    const qint64 pausedMs = nowMs();
    m_server.lines({"RENAME bull:email:wait bull:email:paused", "HSET bull:email:meta paused 1",
                    "XADD bull:email:events * event paused"});
    QVERIFY(happened(queue, EventType::PausedBegan));
    const qint64 resumedMs = nowMs();
    m_server.lines({"RENAME bull:email:paused bull:email:wait", "HDEL bull:email:meta paused",
                    "XADD bull:email:events * event resumed"});
    QVERIFY(happened(queue, EventType::PausedEnded));
    const qint64 afterMs = nowMs();
    QVERIFY(endRecording());

    const QByteArray text = told(u"email"_s, u"text"_s);
    QVERIFY2(text.contains("  paused\n") && text.contains("  resumed after "), text.constData());
    QVERIFY2(text.indexOf("  paused\n") < text.indexOf("  resumed after "), text.constData());
    const QByteArray csv = told(u"email"_s, u"csv"_s);
    QVERIFY2(csv.contains("\"paused\",,,,\n") && csv.contains(",metric,\"\",\"ready\",") &&
                 csv.contains("\"resumed after "),
             csv.constData());
    const QJsonObject json = QJsonDocument::fromJson(told(u"email"_s, u"json"_s)).object();
    QJsonObject began;
    QJsonObject ended;
    for (const QJsonValue& event : json[u"events"].toArray()) {
        if (event[u"type"] == u"paused-began"_s)
            began = event.toObject();
        if (event[u"type"] == u"paused-ended"_s)
            ended = event.toObject();
    }
    const auto timeOf = [](const QJsonObject& event) {
        return qint64(event[u"time_ms"].toDouble());
    };
    QVERIFY(timeOf(began) >= pausedMs - 1000 && timeOf(began) <= resumedMs + 1000);
    QVERIFY(timeOf(ended) >= resumedMs - 1000 && timeOf(ended) <= afterMs + 1000);
    QCOMPARE(qint64(ended[u"value"].toDouble()), timeOf(ended) - timeOf(began));
    QVERIFY(began[u"code"].isNull() && ended[u"code"].isNull());
}

void TestHistory::howEachHoldOfALockEnded()
{
    m_server.line("SET lock:a alice-1 PX 600000");
    QVERIFY2(record(), m_recorder->err().constData());
    QVERIFY(isHeldBy("alice-1"));
    // An operator releases it, and the next one has it.
    Program operating; // with the same journal
    operating.set("XDG_DATA_HOME", m_folder->path());
    QVERIFY(operating.run({u"act"_s, m_server.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                           u"--owner"_s, u"alice-1"_s, u"--reason"_s, u"worker 7 is dead"_s,
                           u"--yes"_s}));
    QVERIFY2(operating.exitCode() == 0, operating.err().constData());
    m_server.line("SET lock:a bob-22 PX 600000");
    QVERIFY(isHeldBy("bob-22"));
    // Another one takes it without asking, then lets it expire.
    m_server.line("SET lock:a carol-3 PX 1500");
    QVERIFY(isHeldBy("carol-3"));
    QVERIFY(untilRecorded([](RecordQueries& queries, const QByteArray& key) {
        return queries.openHolds(key).empty();
    }));
    m_server.line("SET lock:a dave-4 PX 600000");
    QVERIFY(isHeldBy("dave-4"));
    m_server.line("DEL lock:a");
    QVERIFY(untilRecorded([](RecordQueries& queries, const QByteArray& key) {
        return queries.openHolds(key).empty();
    }));
    m_server.line("SET lock:a erin-5");
    QVERIFY(isHeldBy("erin-5"));
    QVERIFY(happened({"set-nx-px", "lock:a"}, EventType::Action));
    QVERIFY(endRecording());

    const QByteArray text = told(u"lock:a"_s, u"json"_s);
    const QJsonArray holds = QJsonDocument::fromJson(text).object()[u"holds"].toArray();
    QVERIFY2(holds.size() == 5, text.constData());
    const QStringList owners{u"alice-1"_s, u"bob-22"_s, u"carol-3"_s, u"dave-4"_s, u"erin-5"_s};
    const QStringList ends{u"operator"_s, u"taken-over"_s, u"expired"_s, u"released"_s, QString()};
    for (int i = 0; i < 5; ++i) {
        QCOMPARE(holds[i][u"owner"].toString(), owners[i]);
        QVERIFY2(holds[i][u"end"].toString() == ends[i], text.constData());
        QCOMPARE(holds[i][u"open"].toBool(), i == 4);
        if (i < 2) { // at once
            QCOMPARE(holds[i][u"next_owner"].toString(), owners[i + 1]);
            QVERIFY(holds[i][u"next_after_ms"].toDouble(-1) >= 0);
        }
    }
    QCOMPARE(holds[0][u"end_reason"].toString(), u"worker 7 is dead"_s);
    QVERIFY(!holds[0][u"ended_by"].toString().isEmpty());
    QVERIFY(holds[1][u"ended_by"].isNull() && holds[1][u"end_reason"].isNull());
    QVERIFY(holds[4][u"end"].isNull() && holds[4][u"no_ttl"].toBool());
    const QByteArray lines = told(u"lock:a"_s, u"text"_s);
    QVERIFY2(lines.contains("released by operator ") && lines.contains(": worker 7 is dead"),
             lines.constData());
}

void TestHistory::aTokenIsFoundByItsWholeCode()
{
    const QByteArray code = "c17bd6a2f09e4d7790ab33e1c2d4f5a6";
    const QString key = u"code:"_s + QString::fromLatin1(code);
    m_server.line("SET code:" + code + " payload PX 600000");
    QVERIFY2(record(), m_recorder->err().constData());
    QVERIFY(untilRecorded([&](RecordQueries& queries, const QByteArray& deployment) {
        return !queries.momentAt(deployment, QDateTime::currentMSecsSinceEpoch()).states.empty();
    }));
    QVERIFY(endRecording());
    for (const char* format : {"text", "csv", "json"}) {
        const QByteArray found = told(key, QString::fromLatin1(format));
        QVERIFY2(!found.startsWith("failed: "), found.constData());
        QVERIFY2(found.contains("detected for the first time") || found.contains("\"seen\""),
                 found.constData());
        QVERIFY2(!found.contains(code), found.constData());
    }
    // Not by another code that begins alike.
    const QByteArray other = told(key.chopped(1) + u'0', u"text"_s);
    QVERIFY2(other.contains("not found in the recording"), other.constData());
}

LK_TEST(TestHistory);
#include "tst_history.moc"
