// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/sessionfindings.h"
#include "backend/session/sessionstates.h"
#include "tests/widgets/actiondriver.h"
#include "tests/widgets/drawing.h"
#include "tests/widgets/recordedconsole.h"
#include "widgets/detail/life/lifedialog.h"
#include "widgets/detail/life/lifemodel.h"

namespace lk::test {

// Short, so that the incident is over within seconds.
inline constexpr auto incidentConfig = R"(
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[limiter]]
key = "quota:*"
layout = "fixed-window"
limit = 10
window = "5m"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
stuck_after = "1s"
[[pattern]]
key = "rota"
layout = "circular-list"
)";

/// An incident that is recorded while it happens, for all that is asked about it afterwards: a
/// worker dies, its lock runs out, the queue grows, a tenant hits its limit, an operator requeues.
class RecordedIncident : public QObject
{
protected:
    RedisServer m_server;
    QTemporaryDir m_folder;
    std::unique_ptr<RecordedConsole> m_recorded;
    qint64 m_heldMs = 0;  ///< worker-a has the lock, the tenant is below its limit
    qint64 m_stuckMs = 0; ///< it has died: the lock is free, jobs are stuck, more wait
    qint64 m_afterMs = 0; ///< all is well again

    ConsoleWindow& console() { return *m_recorded->console; }
    LockState lock() const
    {
        for (const auto& [handle, kept] : m_recorded->console->session().states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == "lock:report")
                return *state->as<LockState>();
        }
        return {};
    }
    std::optional<QueueState> queue() const
    {
        for (const auto& [handle, kept] : m_recorded->console->session().states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == "jobs")
                return *state->as<QueueState>();
        }
        return std::nullopt;
    }
    /// True if the live session reports stuck jobs.
    bool isStuckFound() const
    {
        const LiveFindingsPtr found = m_recorded->console->session().findings().latest();
        return found && found->byCode.contains("queue-stuck");
    }
    LifeDialog* life()
    {
        for (auto* dialog : console().window.findChildren<LifeDialog*>()) {
            if (dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }
    /// The dialog over the chosen row of the board in front, once it has its lines.
    LifeDialog* openLife(const QString& row)
    {
        if (!choose(console().window.currentBoard(), row))
            return nullptr;
        console().press(Qt::Key_H, Qt::ControlModifier);
        const bool there =
            QTest::qWaitFor([&] { return life() && life()->model().rowCount() > 0; }, 15'000);
        return there ? life() : nullptr;
    }
    /// The row, once it is there, and its pane shows it.
    bool choose(int board, const QString& row)
    {
        if (!QTest::qWaitFor([&] { return console().rowOf(board, row) >= 0; }, 15'000))
            return false;
        console().clickRow(board, row);
        return QTest::qWaitFor([&] { return console().detail(board).contains(row); }, 15'000);
    }
    static QString linesOf(LifeDialog& dialog)
    {
        QStringList lines;
        for (const TimelineEntry& line : dialog.model().lines())
            lines << line.text;
        return lines.join(QLatin1Char('\n'));
    }
    void waitForDrawing() { QVERIFY(test::waitForDrawing(console().window)); }
    void backToLive()
    {
        m_recorded->travel().goLive();
        QVERIFY(!m_recorded->travel().isPast());
    }
    /// All of it, from beginning to end.
    void happen()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        m_server.lines({"SET lock:report worker-a PX 600000", "SET lock:idle nobody PX 600000",
                        "RPUSH jobs j1 j2", "SET quota:berlin 4 PX 290000",
                        "RPUSH rota anna ben carl"});
        Session::Setup setup = setupFor(m_server.url(), incidentConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        m_recorded = std::make_unique<RecordedConsole>(std::move(setup));
        QVERIFY(console().waitForScan(5));
        QTRY_VERIFY_WITH_TIMEOUT(m_recorded->history(), 15'000);
        QTRY_COMPARE_WITH_TIMEOUT(lock().owner, QByteArray("worker-a"), 15'000);
        console().window.showBoard(Queues); // what is on screen is read all the time
        QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
        m_heldMs = m_recorded->nowMs();

        // The worker takes two jobs, says how long it still needs, and dies; its lock runs out; the
        // queue grows; a tenant is busy.
        m_server.line("PEXPIRE lock:report 5000");
        QTRY_VERIFY_WITH_TIMEOUT(lock().leaseMs && *lock().leaseMs <= 5000, 30'000);
        m_server.lines({"LMOVE jobs jobs:processing LEFT RIGHT",
                        "LMOVE jobs jobs:processing LEFT RIGHT", "RPUSH jobs j3 j4 j5 j6 j7",
                        "SET quota:berlin 10 PX 280000"});
        QTRY_VERIFY_WITH_TIMEOUT(queue() && queue()->stuck == 2 && queue()->ready == 5, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(lock().owner.isEmpty(), 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(isStuckFound(), 30'000);
        QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
        m_stuckMs = m_recorded->nowMs();

        // An operator requeues; another worker takes the lock.
        QVERIFY(enableWriteMode(console()));
        console().clickRow(Queues, QStringLiteral("jobs"));
        act(console(), QStringLiteral("Requeue…"));
        QTRY_VERIFY(dialog(console()));
        fill(console(), QStringLiteral("all"), {});
        QTRY_VERIFY(button(console(), QStringLiteral("Plan")));
        QTest::mouseClick(button(console(), QStringLiteral("Plan")), Qt::LeftButton);
        runPlan(console());
        QTest::keyClick(dialog(console()), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console()));
        m_server.line("SET lock:report worker-b PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(queue() && queue()->stuck == 0 && queue()->ready == 7, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(lock().owner, QByteArray("worker-b"), 30'000);
        m_afterMs = m_recorded->nowMs();
        // Past it, so that the time bar takes it for a moment and not for now.
        QVERIFY(m_recorded->recordedUntil(m_afterMs + 1000));
    }
};

} // namespace lk::test
