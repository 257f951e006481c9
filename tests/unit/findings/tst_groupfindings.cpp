// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtracker.h"
#include "backend/findings/findingtraits.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;
using Severity = Finding::Severity;

namespace {

constexpr qint64 now = 1'795'000'000'000;

/// A tracker in this thread, whose seconds pass when they are told to, and what it told last.
struct Fixture
{
    explicit Fixture(CheckSettings settings)
        : tracker(std::move(settings))
    {
        QObject::connect(&tracker, &FindingTracker::reported, &tracker,
                         [this](const LiveFindingsPtr& findings) { told = findings; });
    }
    void seconds(int n)
    {
        for (int i = 0; i < n; ++i)
            tracker.everySecond();
    }
    /// "code name", in the order of the rows.
    QByteArrayList rows() const
    {
        QByteArrayList all;
        for (const LiveFindingPtr& live : told->rows)
            all << live->finding.code + ' ' + live->finding.name;
        return all;
    }

    FindingTracker tracker;
    LiveFindingsPtr told;
};

} // namespace

/// Findings of groups of servers, among a session's other findings.
class TestGroupFindings : public QObject
{
    Q_OBJECT

private slots:
    void joinTheRest();
};

// Findings from a group's report; no delta and no state contains them.
void TestGroupFindings::joinTheRest()
{
    const auto finding = [](const char* code, const char* name, Severity severity) {
        Finding f;
        f.code = code;
        f.severity = severity;
        f.name = f.key = name;
        f.kind = Kind::Lock;
        f.message = QStringLiteral("seen");
        return f;
    };
    const Finding split = finding("redlock-split", "lock:a", Severity::Warning);
    const Finding replica = finding("redlock-replica", "lock:*", Severity::Error);
    CheckSettings settings;
    settings.rules.push_back({"redlock-no-quorum", "lock:known*"});
    Fixture fixture(settings);
    // Their start is unknown until the server's time is known.
    fixture.tracker.setRedlock({split});
    fixture.seconds(3);
    QVERIFY(!fixture.told || fixture.told->rows.empty());
    ServerFacts server;
    server.timeMs = now;
    fixture.tracker.setServer(server);
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"redlock-split lock:a"});
    const quint64 id = fixture.told->rows[0]->id;
    QCOMPARE(fixture.told->rows[0]->sinceMs, now);
    QCOMPARE(fixture.told->rows[0]->kind, Kind::Lock);
    QVERIFY(worstOfRedlock(*fixture.told) == Severity::Warning);

    fixture.tracker.setRedlock(
        {split, replica, finding("redlock-no-quorum", "lock:known:1", Severity::Warning)});
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), (QByteArrayList{"redlock-replica lock:*", "redlock-split lock:a",
                                             "redlock-no-quorum lock:known:1"}));
    QVERIFY(fixture.told->rows[2]->finding.silenced);
    QCOMPARE(fixture.told->rows[1]->id, id);
    QVERIFY(fixture.told->worst() == Severity::Error);
    QVERIFY(worstOfRedlock(*fixture.told) == Severity::Error);
    // This server's own is not of a group.
    auto delta = std::make_shared<Delta>();
    delta->atMs = now;
    delta->changes.push_back(
        {0_h, std::make_shared<const State>(
                  lockState("owner", {}, now, madePrimitive(Kind::Lock, "set-nx-px", "a")))});
    fixture.tracker.apply(delta);
    fixture.tracker.setRedlock({});
    fixture.seconds(2);
    QCOMPARE(fixture.rows(), QByteArrayList{"lock-without-ttl a"});
    QVERIFY(!worstOfRedlock(*fixture.told));
}

LK_TEST(TestGroupFindings);
#include "tst_groupfindings.moc"
