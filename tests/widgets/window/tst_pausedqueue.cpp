// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/bullqueue.h"
#include "tests/widgets/recordedincident.h"

using namespace lk;
using namespace lk::test;

/// A queue that somebody pauses and resumes: from when to when, and as of then.
class TestPausedQueue : public RecordedIncident
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase() { m_recorded.reset(); }
    void itsLifeSaysFromWhenToWhen();
    void itIsPausedAsOfThen();

private:
    std::optional<QueueState> email() const;

    qint64 m_pausedMs = 0; ///< it is
    qint64 m_resumedMs = 0;
};

std::optional<QueueState> TestPausedQueue::email() const
{
    for (const auto& [handle, kept] : m_recorded->console->session().states().all()) {
        const StatePtr state = kept.state();
        if (const auto* queue = state->as<QueueState>())
            return *queue;
    }
    return std::nullopt;
}

void TestPausedQueue::initTestCase()
{
    theme().choose(ThemeChoice::Light);
    QVERIFY2(m_server.start(), m_server.output());
    fillWithBullQueue(m_server, 0);
    m_recorded = std::make_unique<RecordedConsole>(setupFor(m_server.url()));
    QVERIFY(console().waitForScan(1));
    QTRY_VERIFY_WITH_TIMEOUT(m_recorded->history(), 15'000);
    console().window.showBoard(Queues);
    QVERIFY(waitUntil([this] { return email() && !email()->paused; }));
    QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
    m_server.lines({"RENAME bull:email:wait bull:email:paused", "HSET bull:email:meta paused 1"});
    QVERIFY(waitUntil([this] { return email()->paused; }));
    m_pausedMs = m_recorded->nowMs();
    QVERIFY(m_recorded->recordedUntil(m_pausedMs + 2000));
    m_server.lines({"RENAME bull:email:paused bull:email:wait", "HDEL bull:email:meta paused"});
    QVERIFY(waitUntil([this] { return !email()->paused; }));
    m_resumedMs = m_recorded->nowMs();
    QVERIFY(m_recorded->recordedUntil(m_resumedMs + 1000));
}

void TestPausedQueue::itsLifeSaysFromWhenToWhen()
{
    LifeDialog* dialog = openLife(QStringLiteral("email"));
    QVERIFY(dialog);
    QVERIFY2(waitUntil([&] { return linesOf(*dialog).contains(QStringLiteral("resumed after ")); }),
             qPrintable(linesOf(*dialog)));
    const Timeline& lines = dialog->model().lines();
    const auto paused = std::ranges::find(lines, QStringLiteral("paused"), &TimelineEntry::text);
    QVERIFY2(paused != lines.end(), qPrintable(linesOf(*dialog)));
    QVERIFY(paused->fromMs <= m_pausedMs && paused->fromMs > m_pausedMs - 5000);
    const auto resumed = std::ranges::find_if(lines, [](const TimelineEntry& line) {
        return line.text.startsWith(QStringLiteral("resumed after "));
    });
    QVERIFY(resumed->fromMs >= m_pausedMs + 2000 && resumed->fromMs <= m_resumedMs);
    waitForDrawing();
    shoot(*dialog, QStringLiteral("paused-life"));
    dialog->close();
}

void TestPausedQueue::itIsPausedAsOfThen()
{
    m_recorded->typeTime(RecordedConsole::iso(m_pausedMs + 500));
    QVERIFY(m_recorded->shows(m_pausedMs + 500));
    QVERIFY(choose(Queues, QStringLiteral("email")));
    QVERIFY(waitUntil([this] {
        return console().detail(Queues).contains(QStringLiteral("paused"), Qt::CaseInsensitive);
    }));
    shoot(console().window, QStringLiteral("paused-then"));
    backToLive();
}

LK_WIDGET_TEST(TestPausedQueue);
#include "tst_pausedqueue.moc"
