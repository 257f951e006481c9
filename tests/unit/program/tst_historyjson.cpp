// SPDX-License-Identifier: GPL-3.0-or-later
// The output of `lockkeeper history --format json`, field by field, and its CSV, column by column.
#include "backend/report/history/historyreport.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace lk;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

RecordedHold hold(const char* owner, qint64 fromMs, qint64 toMs, qint64 leaseMs = 600'000)
{
    RecordedHold made;
    made.primitive = {"set-nx-px", "lock:a"};
    made.owner = owner;
    made.fromMs = t0 + fromMs;
    made.toMs = t0 + toMs;
    made.leaseEndMs = t0 + fromMs + leaseMs;
    made.fromKnown = true;
    return made;
}

/// The report of a lock with these holds and events.
HistoryReport reportOf(const std::vector<RecordedHold>& holds,
                       const std::vector<RecordedEvent>& events = {},
                       const std::vector<RecordedGap>& gaps = {})
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = Kind::Lock;
    primitive->id = {"set-nx-px", "lock:a"};
    primitive->keys = {{"lock", "lock:a"}};
    HistoryReport report;
    report.id = {"redis:shop:6379/0", primitive->id};
    report.primitive = primitive;
    report.deployment = u"shop"_s;
    report.fromMs = t0;
    report.toMs = t0 + 3'600'000;
    report.life = {holds, holdEnds(holds, events), events, gaps};
    return report;
}

QJsonObject reported(const std::vector<RecordedHold>& holds,
                     const std::vector<RecordedEvent>& events = {},
                     const std::vector<RecordedGap>& gaps = {})
{
    return QJsonDocument::fromJson(historyJson(reportOf(holds, events, gaps))).object();
}

QStringList fields(const QJsonValue& value)
{
    return value.toObject().keys(); // sorted
}

} // namespace

class TestHistoryJson : public QObject
{
    Q_OBJECT

private slots:
    void itHasTheseFields();
    void eachEndOfAHold();
    void anOperatorEndsItForAReason();
    void whoHadItNext();
    void whoIsNotKnownIsNull();
    void whatLastsSaysForHowLong();
    void holdsThatAreNotListedAreCounted();
    void aSpreadsheetHasTheNumbersToo();
};

// A program that reads it finds them whatever happened: null is what is not known.
void TestHistoryJson::itHasTheseFields()
{
    RecordedEvent event;
    event.tMs = t0;
    event.type = EventType::StuckBegan;
    const QJsonObject json =
        reported({hold("a", 0, 1000)}, {event}, {{t0, t0 + 1, GapReason::Paused}});
    QCOMPARE(json.keys(), (QStringList{u"deployment"_s, u"events"_s, u"from_ms"_s, u"holds"_s,
                                       u"kind"_s, u"layout"_s, u"metrics"_s, u"name"_s,
                                       u"not_recorded"_s, u"schema"_s, u"to_ms"_s}));
    QCOMPARE(json[u"schema"].toInt(), 1);
    QCOMPARE(fields(json[u"holds"][0]),
             (QStringList{u"end"_s, u"end_known"_s, u"end_reason"_s, u"ended_by"_s, u"from_known"_s,
                          u"from_ms"_s, u"lease_end_ms"_s, u"next_after_ms"_s, u"next_owner"_s,
                          u"no_ttl"_s, u"open"_s, u"owner"_s, u"renewals"_s, u"to_ms"_s}));
    QCOMPARE(fields(json[u"events"][0]),
             (QStringList{u"code"_s, u"detail"_s, u"ref"_s, u"severity"_s, u"text"_s, u"time_ms"_s,
                          u"type"_s, u"value"_s, u"who"_s}));
    QCOMPARE(json[u"not_recorded"][0][u"reason"].toString(), u"paused"_s);
}

void TestHistoryJson::eachEndOfAHold()
{
    RecordedHold open = hold("e", 50'000, 60'000);
    open.open = true;
    RecordedHold unseen = hold("d", 30'000, 40'000);
    unseen.endKnown = false;
    const QJsonArray holds = reported({hold("a", 0, 1000, 1000), hold("b", 15'000, 16'000),
                                       hold("c", 16'000, 17'000), unseen, open})[u"holds"]
                                 .toArray();
    const auto end = [&](int i) { return holds[i][u"end"]; };
    QCOMPARE(end(0), QJsonValue(u"expired"_s));
    QCOMPARE(end(1), QJsonValue(u"taken-over"_s));
    QCOMPARE(end(2), QJsonValue(u"released"_s));
    QCOMPARE(end(3), QJsonValue(u"unseen"_s));
    QCOMPARE(end(4), QJsonValue(QJsonValue::Null)); // it has not ended
    QCOMPARE(holds[3][u"end_known"], QJsonValue(false));
    QCOMPARE(holds[4][u"open"], QJsonValue(true));
    for (const QJsonValue& each : holds) {
        QCOMPARE(each[u"ended_by"], QJsonValue(QJsonValue::Null));
        QCOMPARE(each[u"end_reason"], QJsonValue(QJsonValue::Null));
    }
}

void TestHistoryJson::anOperatorEndsItForAReason()
{
    RecordedEvent release;
    release.tMs = t0 + 5000;
    release.type = EventType::Action;
    release.code = "lock.release";
    release.who = u"ann@desk"_s;
    release.text = u"worker 7 is \"dead\""_s;
    release.detail = u"done"_s;
    release.ref = "r29f6";
    const QJsonObject json = reported({hold("a", 0, 5100), hold("b", 5600, 9000)}, {release});
    const QJsonValue first = json[u"holds"][0];
    QCOMPARE(first[u"end"], QJsonValue(u"operator"_s));
    QCOMPARE(first[u"ended_by"], QJsonValue(u"ann@desk"_s));
    QCOMPARE(first[u"end_reason"], QJsonValue(u"worker 7 is \"dead\""_s));
    QCOMPARE(first[u"next_owner"], QJsonValue(u"b"_s));
    QCOMPARE(first[u"next_after_ms"], QJsonValue(500));
    QCOMPARE(json[u"holds"][1][u"end"], QJsonValue(u"released"_s));
    QCOMPARE(json[u"events"][0][u"ref"], QJsonValue(u"r29f6"_s));
    // Who tried and failed did not end it.
    release.detail = u"conflict"_s;
    const QJsonValue second = reported({hold("a", 0, 5100)}, {release})[u"holds"][0];
    QCOMPARE(second[u"end"], QJsonValue(u"released"_s));
    QCOMPARE(second[u"ended_by"], QJsonValue(QJsonValue::Null));
}

void TestHistoryJson::whoHadItNext()
{
    RecordedHold known = hold("c", 60'000, 70'000);
    known.fromKnown = false; // held already when somebody looked again
    const QJsonArray holds = reported({hold("a", 0, 1000), hold("", 1000, 2000),
                                       hold("b", 30'000, 60'000), known})[u"holds"]
                                 .toArray();
    QCOMPARE(holds[0][u"next_owner"], QJsonValue(QJsonValue::Null)); // its value names none
    QCOMPARE(holds[0][u"next_after_ms"], QJsonValue(0));             // but there was one
    QCOMPARE(holds[1][u"owner"], QJsonValue(QJsonValue::Null));
    QCOMPARE(holds[1][u"next_owner"], QJsonValue(QJsonValue::Null)); // much later
    QCOMPARE(holds[1][u"next_after_ms"], QJsonValue(QJsonValue::Null));
    QCOMPARE(holds[2][u"next_owner"], QJsonValue(QJsonValue::Null));
    QCOMPARE(holds[2][u"next_after_ms"], QJsonValue(QJsonValue::Null));
}

void TestHistoryJson::whoIsNotKnownIsNull()
{
    RecordedHold endless = hold("a\nb\xff", 0, 1000);
    endless.noTtl = true;
    endless.leaseEndMs.reset();
    const QJsonValue only = reported({endless})[u"holds"][0];
    QCOMPARE(only[u"lease_end_ms"], QJsonValue(QJsonValue::Null));
    QCOMPARE(only[u"no_ttl"], QJsonValue(true));
    QCOMPARE(only[u"owner"], QJsonValue(u"a\\x0ab\\xff"_s)); // binary names as in a snapshot
    RecordedEvent event;
    event.tMs = t0;
    event.type = EventType::ServerLost;
    const QJsonValue told = reported({}, {event})[u"events"][0];
    for (const QString& field : {u"code"_s, u"who"_s, u"text"_s, u"detail"_s, u"ref"_s})
        QCOMPARE(told[field], QJsonValue(QJsonValue::Null));
    QCOMPARE(told[u"type"], QJsonValue(u"server-lost"_s));
}

void TestHistoryJson::whatLastsSaysForHowLong()
{
    RecordedEvent began;
    began.tMs = t0;
    began.type = EventType::PausedBegan;
    began.code = "before";
    RecordedEvent ended = began;
    ended.tMs = t0 + 240'000;
    ended.type = EventType::PausedEnded;
    ended.value = 240'000;
    const QJsonValue events = reported({}, {began, ended})[u"events"];
    QCOMPARE(events[0][u"type"], QJsonValue(u"paused-began"_s));
    QCOMPARE(events[0][u"code"], QJsonValue(u"before"_s));
    QCOMPARE(events[1][u"type"], QJsonValue(u"paused-ended"_s));
    QCOMPARE(events[1][u"value"], QJsonValue(240'000));
}

void TestHistoryJson::holdsThatAreNotListedAreCounted()
{
    RecordedEvent omitted;
    omitted.tMs = t0;
    omitted.type = EventType::HoldsOmitted;
    omitted.value = 15;
    omitted.code = "owner-21";
    omitted.detail = QString::number(t0 + 30'000);
    const QJsonValue event = reported({}, {omitted})[u"events"][0];
    QCOMPARE(event[u"type"], QJsonValue(u"holds-not-listed"_s));
    QCOMPARE(event[u"value"], QJsonValue(15));
    QCOMPARE(event[u"code"], QJsonValue(u"owner-21"_s));
    const QString csv = historyCsv(reportOf({}, {omitted}));
    QVERIFY2(csv.contains(u"\"15 shorter hold(s) not listed\""_s), qPrintable(csv));
}

// Each row has all columns: of what happened those of numbers are empty.
void TestHistoryJson::aSpreadsheetHasTheNumbersToo()
{
    HistoryReport report = reportOf({hold("a", 0, 1000)});
    report.metrics = {{"ready", 0, 12, 2.5, 3, 0}, {"=odd", 1, 1, 1, 1, 60'000}};
    const QStringList rows = historyCsv(report).split(u'\n');
    QCOMPARE(rows.size(), 5); // the last one is ended, too
    QCOMPARE(rows[0], u"from_utc,to_utc,type,who,what,lowest,mean,highest,last"_s);
    QVERIFY2(rows[1].endsWith(u"\",,,,"_s), qPrintable(rows[1]));
    QCOMPARE(rows[2], u"2023-11-14T22:13:20.000Z,2023-11-14T23:13:20.000Z,metric,\"\",\"ready\","
                      "0,2.5,12,3"_s);
    QVERIFY2(rows[3].contains(u"\"'=odd\""_s), qPrintable(rows[3]));
}

LK_TEST(TestHistoryJson);
#include "tst_historyjson.moc"
