// SPDX-License-Identifier: GPL-3.0-or-later
// Where the past is shown, the findings are those of then, by the recording.
#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;
constexpr Handle place(0, 1);

DeltaPtr deltaOf(const State& state, qint64 atMs)
{
    auto delta = std::make_shared<Delta>();
    delta->atMs = atMs;
    delta->changes.push_back({place, std::make_shared<State>(state)});
    return delta;
}

/// As the recording has it: without the texts of its code.
Finding recordedFinding(const QByteArray& code, Kind kind, const QByteArray& name)
{
    Finding finding;
    finding.code = code;
    finding.kind = kind;
    finding.name = finding.key = name;
    finding.message = QStringLiteral("as it was then");
    return finding;
}

/// A tracker in this thread, and what it told last.
struct Fixture
{
    explicit Fixture(CheckSettings settings = {})
        : tracker(std::move(settings))
    {
        QObject::connect(&tracker, &FindingTracker::reported, &tracker,
                         [this](const LiveFindingsPtr& findings) { told = findings; });
    }
    void show(std::vector<PastFinding> open, const State& state, qint64 atMs)
    {
        tracker.setPast({atMs, std::move(open)});
        tracker.apply(deltaOf(state, atMs));
    }
    QByteArrayList codes() const
    {
        QByteArrayList all;
        for (const LiveFindingPtr& live : told->rows)
            all << live->finding.code;
        return all;
    }

    FindingTracker tracker;
    LiveFindingsPtr told;
};

} // namespace

class TestPastFindings : public QObject
{
    Q_OBJECT

private slots:
    void theyAreThoseOfThen();
    void theyAreAsOldAsTheyWereThen();
    void whatTheStatesShowIsNotJudgedAnew();
    void theServerIsNotJudgedAnew();
    void todaysSettingsChangeNothing();
    void theSameOneKeepsItsId();
    void thoseOfGroupsAreThereAsTheyWereRecorded();
    void whatCouldNotBeReadHasItsBoard();
    void eachCodeHasItsTexts();
    void liveOnesAreAsOldAsTheyWereSeen();
};

// No state that is recorded shows it again: what it is made of is not recorded.
void TestPastFindings::theyAreThoseOfThen()
{
    Fixture fixture;
    Finding finding = recordedFinding("window-undercounts", Kind::Limiter, "api");
    finding.severity = Finding::Severity::Warning;
    finding.action = "limiter.cap";
    fixture.show({{finding, t0 - 60'000, place}},
                 madeState(madePrimitive(Kind::Limiter, "rolling-window", "api"), t0), t0);
    QVERIFY(fixture.told);
    QCOMPARE(fixture.told->atMs, t0);
    QCOMPARE(fixture.told->rows.size(), size_t(1));
    const LiveFinding& live = *fixture.told->rows[0];
    QCOMPARE(live.finding.message, QStringLiteral("as it was then"));
    QCOMPARE(live.finding.action, QByteArray("limiter.cap"));
    QVERIFY(live.finding.why.contains(QStringLiteral("more than the limit pass")));
    QVERIFY(!live.finding.advice.isEmpty());
    QCOMPARE(live.sinceMs, t0 - 60'000);
    QVERIFY(live.kind == Kind::Limiter);
    QVERIFY(fixture.told->worstOf(place) == Finding::Severity::Warning);
    QCOMPARE(fixture.told->of(place).size(), size_t(1));
    QCOMPARE(fixture.told->checked, 1);
    // A moment later it was over.
    fixture.show({}, madeState(madePrimitive(Kind::Limiter, "rolling-window", "api"), t0 + 1000),
                 t0 + 1000);
    QCOMPARE(fixture.told->rows.size(), size_t(0));
    QCOMPARE(fixture.told->total(), 0);
    QVERIFY(!fixture.told->worstOf(place));
}

void TestPastFindings::theyAreAsOldAsTheyWereThen()
{
    Fixture fixture;
    const State lock = lockState("alice", {}, t0);
    const Finding finding = recordedFinding("lock-without-ttl", Kind::Lock, "lock:a");
    fixture.show({{finding, t0 - 60'000, place}}, lock, t0);
    QCOMPARE(fixture.told->rows.at(0)->sinceMs, t0 - 60'000);
    // At another moment it was another one.
    fixture.show({{finding, t0 - 7'200'000, place}}, lock, t0 - 3'600'000);
    QCOMPARE(fixture.told->rows.at(0)->sinceMs, t0 - 7'200'000);
}

void TestPastFindings::whatTheStatesShowIsNotJudgedAnew()
{
    const State lock = lockState("alice", {}, t0); // without a TTL
    QVERIFY(!findingsOf(lock, {}).empty());
    Fixture fixture;
    fixture.show({}, lock, t0);
    for (int i = 0; i < 10; ++i) // nor later, nor what shows in several only
        fixture.tracker.everySecond();
    QCOMPARE(fixture.codes(), QByteArrayList());
}

void TestPastFindings::theServerIsNotJudgedAnew()
{
    ServerFacts server;
    server.endpoint = QStringLiteral("10.0.0.1:6379");
    server.timeMs = t0;
    server.diskError = DiskError::Snapshot;
    QVERIFY(!findingsOfServer(server).empty());
    Fixture fixture;
    fixture.tracker.setServer(server); // before it is known that this is the past
    fixture.show({}, lockState("alice", 1000, t0), t0);
    fixture.tracker.setServer(server);
    for (int i = 0; i < 5; ++i)
        fixture.tracker.everySecond();
    QCOMPARE(fixture.codes(), QByteArrayList());
    // The recorded finding is shown, and belongs to the server.
    Finding saved = recordedFinding("cannot-save", Kind::Limiter, "10.0.0.1:6379");
    saved.key.clear();
    saved.ofServer = true;
    fixture.show({{saved, t0, noHandle}}, lockState("alice", 1000, t0 + 1000), t0 + 1000);
    QCOMPARE(fixture.codes(), QByteArrayList{"cannot-save"});
    QVERIFY(fixture.told->rows[0]->finding.ofServer);
    QVERIFY(fixture.told->rows[0]->finding.why.contains(QStringLiteral("restart")));
}

void TestPastFindings::todaysSettingsChangeNothing()
{
    CheckSettings settings;
    settings.rules.push_back({"lock-without-ttl", {}});
    Fixture fixture(settings);
    Finding open = recordedFinding("lock-without-ttl", Kind::Lock, "lock:a");
    Finding silenced = recordedFinding("lock-expired", Kind::Lock, "lock:a");
    silenced.silenced = true;
    const State lock = lockState("alice", {}, t0);
    fixture.show({{open, t0, place}, {silenced, t0, place}}, lock, t0);
    const auto isAsThen = [&] {
        return fixture.told->total() == 1 && fixture.told->silenced == 1 &&
               !fixture.told->rows[0]->finding.silenced &&
               fixture.told->rows[0]->finding.code == "lock-without-ttl";
    };
    QVERIFY(isAsThen());
    fixture.tracker.setSettings({});
    fixture.show({{open, t0, place}, {silenced, t0, place}}, lock, t0 + 1000);
    QVERIFY(isAsThen());
}

// So that it stays selected while the past plays, and rows do not flicker.
void TestPastFindings::theSameOneKeepsItsId()
{
    Fixture fixture;
    Finding finding = recordedFinding("queue-stuck", Kind::Queue, "jobs");
    const State queue = queueState({1, 2, 3}, t0, 7);
    fixture.show({{finding, t0, place}}, queue, t0);
    const LiveFindingPtr first = fixture.told->rows.at(0);
    fixture.show({{finding, t0, place}}, queue, t0 + 1000);
    QCOMPARE(fixture.told->rows.at(0), first);
    finding.severity = Finding::Severity::Error;
    fixture.show({{finding, t0, place}}, queue, t0 + 2000);
    QCOMPARE(fixture.told->rows.size(), size_t(1));
    QCOMPARE(fixture.told->rows.at(0)->id, first->id);
    QVERIFY(fixture.told->rows.at(0)->finding.severity == Finding::Severity::Error);
    QVERIFY(fixture.told->worst() == Finding::Severity::Error);
    QCOMPARE(fixture.told->total(), 1);
}

void TestPastFindings::thoseOfGroupsAreThereAsTheyWereRecorded()
{
    Fixture fixture;
    const Finding split = recordedFinding("redlock-split", Kind::Lock, "lock:a");
    fixture.tracker.setRedlock({split}); // of today
    fixture.show({{split, t0 - 60'000, noHandle}}, lockState("alice", 1000, t0), t0);
    QCOMPARE(fixture.codes(), QByteArrayList{"redlock-split"});
    QCOMPARE(fixture.told->rows[0]->sinceMs, t0 - 60'000);
    QVERIFY(!fixture.told->rows[0]->finding.why.isEmpty());
    // A moment at which it was not open yet.
    fixture.show({}, lockState("alice", 1000, t0 - 3'600'000), t0 - 3'600'000);
    fixture.tracker.setRedlock({split});
    fixture.tracker.everySecond();
    QCOMPARE(fixture.codes(), QByteArrayList());
}

void TestPastFindings::whatCouldNotBeReadHasItsBoard()
{
    Fixture fixture;
    const Finding unread = recordedFinding("not-readable", Kind::Limiter, "+lrange");
    State queue = madeState(madePrimitive(Kind::Queue, "reliable-list", "jobs"), t0);
    queue.problem = Error{ErrorCode::NoPerm, QStringLiteral("lrange")};
    auto delta = std::make_shared<Delta>(*deltaOf(queue, t0));
    Missing missing;
    missing.cause = Missing::Cause::Command;
    missing.permission = "+lrange";
    missing.primitives[size_t(Kind::Queue)] = 1;
    delta->scan.missing = {missing};
    fixture.tracker.setPast({t0, {{unread, t0, noHandle}}});
    fixture.tracker.apply(delta);
    QVERIFY(fixture.told->rows.at(0)->kind == Kind::Queue);
    QVERIFY(!fixture.told->rows.at(0)->boardless);
    QVERIFY(fixture.told->rows.at(0)->finding.about == Finding::About::Unread);
    Fixture other;
    other.show({{recordedFinding("not-readable", Kind::Limiter, "node-down"), t0, noHandle}},
               lockState("alice", 1000, t0), t0);
    QVERIFY(other.told->rows.at(0)->boardless);
}

void TestPastFindings::eachCodeHasItsTexts()
{
    for (const KnownFinding& known : knownFindings()) {
        Finding finding;
        finding.code = known.code;
        explainFinding(finding);
        QVERIFY2(!finding.why.isEmpty(), known.code.constData());
    }
    // Two kinds have one of this name.
    Finding lock = recordedFinding("lock-without-ttl", Kind::Lock, "lock:a");
    Finding cache = recordedFinding("lock-without-ttl", Kind::Pattern, "cache");
    explainFinding(lock);
    explainFinding(cache);
    QVERIFY(lock.why != cache.why);
    Finding unknown;
    unknown.code = "of-a-newer-program";
    explainFinding(unknown);
    QVERIFY(unknown.why.isEmpty());
}

void TestPastFindings::liveOnesAreAsOldAsTheyWereSeen()
{
    Fixture fixture;
    fixture.tracker.apply(deltaOf(lockState("alice", {}, t0), t0));
    for (int i = 0; i < 3; ++i)
        fixture.tracker.everySecond();
    QVERIFY(fixture.told && !fixture.told->rows.empty());
    QCOMPARE(fixture.told->rows.front()->sinceMs, t0);
}

LK_TEST(TestPastFindings);
#include "tst_pastfindings.moc"
