// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/demo.h"
#include "backend/demo/clients/demonames.h"
#include "backend/session/past/timeline.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/actiondriver.h"
#include "tests/widgets/recordedconsole.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/detail/life/lifedialog.h"
#include "widgets/detail/life/lifemodel.h"
#include "widgets/detail/seriesfeed.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <map>

using namespace lk;
using namespace lk::test;

/// The demo plays an incident: a worker dies over a job, another while it holds a lock, which
/// expires; jobs wait; a tenant hits its limit; an operator requeues and releases. All that is
/// asked afterwards is answered in the window, from the recording.
class TestDemoIncident : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void cleanupTestCase();

    void whoHeldTheLockThen();
    void thatItExpiredAndWhoTookItOver();
    void howLongTheQueueWasStuck();
    void howDeepTheQueueWas();
    void whenTheTenantHitItsLimit();
    void whoReleasedWhat();
    void theAlertIsToldAndMarked();
    void eventsLeadThroughIt();
    void aTerminalSaysTheSame();

private:
    struct Held
    {
        QString owner;
        qint64 atMs = 0;
    };
    template<typename Body> std::optional<Body> body(const QByteArray& name)
    {
        for (const auto& [handle, kept] : console().session().states().all()) {
            const StatePtr known = kept.state();
            const State& state = *known;
            if (state.primitive->id.name != name || !state.present)
                continue;
            if (const auto* found = state.template as<Body>())
                return *found;
        }
        return std::nullopt;
    }
    ConsoleWindow& console() { return *m_recorded->console; }
    QByteArray deployment() { return m_recorded->recorder().status().deployment; }
    void rememberHolders();
    bool findExpired();
    void requeue();
    void release();
    bool choose(int board, const QString& row);
    LifeDialog* life(int board, const QString& row);
    static QString linesOf(const LifeDialog& dialog);
    std::vector<RecordedHold> holds(const QByteArray& name);

    QTemporaryDir m_folder;
    std::unique_ptr<Demo> m_demo;
    std::unique_ptr<RecordedConsole> m_recorded;
    std::map<QByteArray, Held> m_seen; ///< users' workers, while they lived
    QByteArray m_lock;                 ///< its owner died
    Held m_held;                       ///< that owner
    qint64 m_fullMs = 0;               ///< the tenant was seen at its limit
    qint64 m_stuckMs = 0;              ///< the queue was seen stuck
    qint64 m_waiting = 0;              ///< jobs, then
    qint64 m_stuck = 0;                ///< the number of stuck jobs, then
    qint64 m_alertMs = 0;
    qint64 m_requeuedMs = 0;
    qint64 m_releasedMs = 0;
    qint64 m_afterMs = 0;
};

void TestDemoIncident::rememberHolders()
{
    for (const auto& [handle, kept] : console().session().states().all()) {
        const StatePtr state = kept.state();
        const auto* lock = state->as<LockState>();
        if (lock && state->present && !lock->owner.isEmpty() && lock->leaseMs.value_or(0) > 3000 &&
            state->primitive->id.name.startsWith("worker:user:"))
            m_seen[state->primitive->id.name] = {QString::fromLatin1(lock->owner),
                                                 m_recorded->nowMs()};
    }
}

std::vector<RecordedHold> TestDemoIncident::holds(const QByteArray& name)
{
    RecordQueries queries(m_recorded->path());
    const RecordedId id{deployment(), {"set-nx-px", name}};
    return queries.open() ? queries.holds(id, 0, m_recorded->nowMs()) : std::vector<RecordedHold>();
}

// One that was remembered while it was held, and that its owner did not release.
bool TestDemoIncident::findExpired()
{
    for (const auto& [name, held] : m_seen) {
        for (const RecordedHold& hold : holds(name)) {
            if (hold.open || !hold.leaseEndMs || *hold.leaseEndMs > hold.toMs ||
                hold.owner != held.owner.toLatin1())
                continue;
            m_lock = name;
            m_held = held;
            return true;
        }
    }
    return false;
}

void TestDemoIncident::initTestCase()
{
    theme().choose(ThemeChoice::Light);
    m_demo = std::make_unique<Demo>();
    QSignalSpy ready(m_demo.get(), &Demo::ready);
    m_demo->start();
    QVERIFY(waitUntil([&] { return !ready.isEmpty(); }));
    Session::Setup setup = m_demo->setup();
    // Told after a second instead of a minute.
    const QByteArray rules = "\n[[alert]]\nwhen = 'queue-stuck'\nmatch = 'mail:*'\nfor = '1s'\n";
    setup.config = parseConfig(demoToml(false) + rules, QStringLiteral("demo.toml")).value();
    setup.alertFile = m_folder.filePath(QStringLiteral("alerts.db"));
    m_recorded = std::make_unique<RecordedConsole>(std::move(setup));
    QVERIFY(console().waitForScan(40));
    QVERIFY(waitUntil([&] { return m_recorded->history() != nullptr; }));
    console().window.showBoard(Locks); // what is on screen is read all the time
    QVERIFY(waitUntil([&] {
        rememberHolders();
        return m_recorded->nowMs() - m_recorded->history()->firstMs() > 3000 && !m_seen.empty();
    }));

    // A worker has died with a job in progress: the job is stuck, and an alert reports it.
    QVERIFY(waitUntil(
        [&] {
            const auto queue = body<QueueState>("mail:jobs");
            const auto quota = body<LimiterState>("quota:hits:acme");
            if (m_fullMs == 0 && quota && quota->remaining == 0)
                m_fullMs = m_recorded->nowMs();
            m_waiting = queue ? queue->ready.value_or(0) : 0;
            m_stuck = queue ? queue->stuck : 0;
            return queue && queue->stuck > 0;
        },
        60'000));
    m_stuckMs = m_recorded->nowMs();
    const auto& alerts = *console().session().alerts();
    const auto isTold = [&] {
        return std::ranges::any_of(alerts.alerts()->open, [](const AlertPtr& alert) {
            return alert->name == "mail:jobs" && alert->rule.startsWith("queue-stuck");
        });
    };
    const auto open = [&] {
        QByteArrayList told;
        for (const AlertPtr& alert : alerts.alerts()->open)
            told << alert->rule + " of " + alert->name;
        return told.join('\n');
    };
    QVERIFY2(waitUntil(isTold, 30'000), open().constData());
    m_alertMs = m_recorded->nowMs();
    QVERIFY2(m_fullMs > 0, "the tenant should have hit its limit by now");
    QElapsedTimer since; // the file is not read each millisecond
    const auto looked = [&] {
        if (since.isValid() && since.elapsed() < 500)
            return false;
        since.start();
        return findExpired();
    };
    QVERIFY(waitUntil(looked, 60'000));

    QVERIFY(enableWriteMode(console()));
    requeue();
    release();
    QVERIFY(waitUntil([&] {
        const auto queue = body<QueueState>("mail:jobs");
        return queue && queue->stuck == 0;
    }));
    QVERIFY(waitUntil([&] {
        const auto lock = body<LockState>("lock:migration:2019");
        return !lock || lock->owner.isEmpty();
    }));
    m_afterMs = m_recorded->nowMs();
    QVERIFY(m_recorded->recordedUntil(m_afterMs + 2000));
}

// All that have been in progress for long: the others are a living worker's.
void TestDemoIncident::requeue()
{
    QVERIFY(choose(Queues, QStringLiteral("mail:jobs")));
    act(console(), QStringLiteral("Requeue…"));
    QVERIFY(waitUntil([&] { return dialog(console()) != nullptr; }));
    fill(console(), QStringLiteral("older-than"), QStringLiteral("20s"));
    QVERIFY(waitUntil([&] { return button(console(), QStringLiteral("Plan")) != nullptr; }));
    QTest::mouseClick(button(console(), QStringLiteral("Plan")), Qt::LeftButton);
    QVERIFY(waitUntil([&] { return verb(console()) && verb(console())->isEnabled(); }));
    fill(console(), QStringLiteral("reason"), QStringLiteral("OPS-42 its worker died"));
    runPlan(console());
    m_requeuedMs = m_recorded->nowMs();
    QTest::keyClick(dialog(console()), Qt::Key_Escape);
    QTRY_VERIFY(!console().window.findChild<ActionDialog*>()); // that deletes it
}

void TestDemoIncident::release()
{
    QVERIFY(choose(Locks, QStringLiteral("lock:migration:2019")));
    act(console(), QStringLiteral("Release…"));
    QVERIFY2(waitUntil([&] { return verb(console()) && verb(console())->isEnabled(); }),
             qPrintable(said(console())));
    fill(console(), QStringLiteral("reason"), QStringLiteral("OPS-43 left over"));
    runPlan(console());
    m_releasedMs = m_recorded->nowMs();
    QTest::keyClick(dialog(console()), Qt::Key_Escape);
    QTRY_VERIFY(!console().window.findChild<ActionDialog*>()); // that deletes it
}

void TestDemoIncident::cleanup()
{
    for (auto* dialog : console().window.findChildren<LifeDialog*>())
        delete dialog;
    m_recorded->travel().goLive();
}

void TestDemoIncident::cleanupTestCase()
{
    m_recorded.reset();
    m_demo.reset();
}

bool TestDemoIncident::choose(int board, const QString& row)
{
    console().window.showBoard(board);
    if (!waitUntil([&] { return console().rowOf(board, row) >= 0; }))
        return false;
    console().clickRow(board, row);
    return waitUntil([&] { return console().detail(board).contains(row); });
}

LifeDialog* TestDemoIncident::life(int board, const QString& row)
{
    if (!choose(board, row))
        return nullptr;
    console().press(Qt::Key_H, Qt::ControlModifier);
    auto* dialog = console().window.findChild<LifeDialog*>();
    return dialog && waitUntil([&] { return dialog->model().rowCount() > 0; }) ? dialog : nullptr;
}

QString TestDemoIncident::linesOf(const LifeDialog& dialog)
{
    QStringList lines;
    for (const TimelineEntry& line : const_cast<LifeDialog&>(dialog).model().lines())
        lines << line.text;
    return lines.join(QLatin1Char('\n'));
}

void TestDemoIncident::whoHeldTheLockThen()
{
    m_recorded->typeTime(RecordedConsole::iso(m_held.atMs));
    QVERIFY(m_recorded->shows(m_held.atMs));
    QVERIFY(choose(Locks, QString::fromLatin1(m_lock)));
    QVERIFY2(waitUntil([&] { return console().detail(Locks).contains(m_held.owner); }),
             qPrintable(console().detail(Locks)));
    shoot(console().window, QStringLiteral("demo-held"));
}

void TestDemoIncident::thatItExpiredAndWhoTookItOver()
{
    // It may be gone by now: then it is found where it was.
    m_recorded->typeTime(RecordedConsole::iso(m_held.atMs));
    QVERIFY(m_recorded->shows(m_held.atMs));
    LifeDialog* dialog = life(Locks, QString::fromLatin1(m_lock));
    QVERIFY(dialog);
    const auto said = [&](const QString& text) {
        const auto& lines = dialog->model().lines();
        return std::ranges::any_of(lines, [&](const TimelineEntry& line) {
            return line.who == m_held.owner && line.text.contains(text);
        });
    };
    QVERIFY2(said(QStringLiteral("held by ") + m_held.owner), qPrintable(linesOf(*dialog)));
    QVERIFY2(said(QStringLiteral(", expired")), qPrintable(linesOf(*dialog)));
    // Somebody else may have it again by now.
    const std::vector<RecordedHold> all = holds(m_lock);
    const auto of = std::ranges::find(all, m_held.owner.toLatin1(), &RecordedHold::owner);
    QVERIFY(of != all.end());
    if (const auto next = std::next(of); next != all.end() && next->fromMs - of->toMs < 10'000)
        QVERIFY2(said(QStringLiteral("taken over by ") + QString::fromLatin1(next->owner)),
                 qPrintable(linesOf(*dialog)));
    shoot(*dialog, QStringLiteral("demo-lock-life"));
}

void TestDemoIncident::howLongTheQueueWasStuck()
{
    LifeDialog* dialog = life(Queues, QStringLiteral("mail:jobs"));
    QVERIFY(dialog);
    const auto& lines = dialog->model().lines();
    const auto began = std::ranges::find_if(lines, [](const TimelineEntry& line) {
        return line.text.endsWith(QStringLiteral(" job(s) stuck"));
    });
    const auto ended = std::ranges::find_if(lines, [](const TimelineEntry& line) {
        return line.text.startsWith(QStringLiteral("no more stuck jobs, after "));
    });
    QVERIFY2(began != lines.end() && ended != lines.end(), qPrintable(linesOf(*dialog)));
    QVERIFY(began->fromMs <= m_stuckMs && began->fromMs > m_stuckMs - 5000);
    QVERIFY(ended->fromMs >= m_requeuedMs - 2000 && ended->fromMs <= m_afterMs);
    shoot(*dialog, QStringLiteral("demo-queue-life"));
}

void TestDemoIncident::howDeepTheQueueWas()
{
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    QVERIFY(choose(Queues, QStringLiteral("mail:jobs")));
    QVERIFY2(waitUntil([&] { return console().figure(Queues, 0) == QString::number(m_waiting); }),
             qPrintable(console().figure(Queues, 0) + QStringLiteral(" of %1").arg(m_waiting)));
    QCOMPARE(console().figure(Queues, 2), QString::number(m_stuck));
}

void TestDemoIncident::whenTheTenantHitItsLimit()
{
    const QString tenant = QStringLiteral("quota:hits:acme");
    LifeDialog* dialog = life(Limiters, tenant);
    QVERIFY(dialog);
    const auto& lines = dialog->model().lines();
    const auto full = std::ranges::find_if(lines, [](const TimelineEntry& line) {
        return line.text == QStringLiteral("at its limit");
    });
    QVERIFY2(full != lines.end(), qPrintable(linesOf(*dialog)));
    const qint64 fullMs = full->fromMs;
    QVERIFY2(std::abs(fullMs - m_fullMs) < 3000, QByteArray::number(fullMs - m_fullMs).constData());
    delete dialog;
    // A little before there was room.
    m_recorded->typeTime(RecordedConsole::iso(fullMs - 4000));
    QVERIFY(m_recorded->shows(fullMs - 4000));
    QVERIFY(choose(Limiters, tenant));
    const auto remaining = [&] {
        for (const auto& [handle, kept] : console().window.shownSession()->states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == "quota:hits:acme")
                return state->as<LimiterState>()->remaining.value_or(-1);
        }
        return qint64(-1);
    };
    QVERIFY(waitUntil([&] { return remaining() > 0; }));
    m_recorded->typeTime(RecordedConsole::iso(fullMs + 1000));
    QVERIFY(m_recorded->shows(fullMs + 1000));
    QVERIFY(waitUntil([&] { return remaining() == 0; }));
}

void TestDemoIncident::whoReleasedWhat()
{
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    LifeDialog* dialog = life(Locks, QStringLiteral("lock:migration:2019"));
    QVERIFY(dialog);
    const QString said = linesOf(*dialog);
    QVERIFY2(said.contains(QStringLiteral("without a TTL, released by operator ")) &&
                 said.contains(QStringLiteral(": OPS-43 left over")),
             qPrintable(said));
    const auto& lines = dialog->model().lines();
    const auto action = std::ranges::find(lines, TimeMark::Sort::Action, &TimelineEntry::sort);
    QVERIFY(action != lines.end());
    QVERIFY(action->fromMs <= m_releasedMs && action->fromMs > m_releasedMs - 5000);
    shoot(*dialog, QStringLiteral("demo-released"));
    delete dialog;
    dialog = life(Queues, QStringLiteral("mail:jobs"));
    QVERIFY(dialog);
    QVERIFY2(linesOf(*dialog).contains(QStringLiteral("(succeeded): OPS-42 its worker died")),
             qPrintable(linesOf(*dialog)));
}

void TestDemoIncident::theAlertIsToldAndMarked()
{
    LifeDialog* dialog = life(Queues, QStringLiteral("mail:jobs"));
    QVERIFY(dialog);
    const auto& lines = dialog->model().lines();
    const auto fired = std::ranges::find_if(lines, [](const TimelineEntry& line) {
        return line.text.startsWith(QStringLiteral("alert: In progress for more than"));
    });
    QVERIFY2(fired != lines.end(), qPrintable(linesOf(*dialog)));
    QVERIFY(fired->fromMs >= m_stuckMs - 5000 && fired->fromMs <= m_alertMs);
    const qint64 firedMs = fired->fromMs;
    delete dialog;
    const auto isAlert = [&](const TimeMark& mark) {
        return mark.sort == TimeMark::Sort::Alert && mark.tMs == firedMs;
    };
    // On the charts of that queue, and on the time bar.
    auto* feed = console().page(Queues).findChild<SeriesFeed*>();
    QVERIFY(waitUntil([&] { return std::ranges::any_of(feed->axis()->marks(), isAlert); }));
    shoot(console().window, QStringLiteral("demo-marks"));
    TimeStrip& strip = m_recorded->strip();
    QVERIFY(waitUntil([&] { return std::ranges::any_of(strip.marks(), isAlert); }));
}

// From the first moment on: each of them is one of what happened.
void TestDemoIncident::eventsLeadThroughIt()
{
    m_recorded->typeTime(RecordedConsole::iso(m_fullMs - 10'000));
    QVERIFY(m_recorded->shows(m_fullMs - 10'000));
    QStringList told;
    qint64 lastMs = 0;
    for (int i = 0; i < 1000 && lastMs < m_releasedMs; ++i) {
        console().press(Qt::Key_Right, Qt::AltModifier);
        const auto there = [&] {
            const auto moment = m_recorded->strip().moment();
            return !moment || (*moment > lastMs && m_recorded->shows(*moment));
        };
        QVERIFY(waitUntil(there));
        if (!m_recorded->strip().moment())
            break;
        lastMs = *m_recorded->strip().moment();
        const QString sentence = m_recorded->bar().sentence();
        told << sentence.mid(sentence.indexOf(QChar(0xb7)) + 1).trimmed();
    }
    // One or more: a busy machine sees the second before it has told of the first.
    for (const QString& text :
         {QStringLiteral("quota:hits:acme: at its limit"),
          QStringLiteral("mail:jobs: [0-9]+ job\\(s\\) stuck"),
          QStringLiteral("mail:jobs: alert: "), QStringLiteral("mail:jobs: queue\\.requeue by ")}) {
        const QRegularExpression wanted(text);
        QVERIFY2(!told.filter(wanted).isEmpty(),
                 qPrintable(text + QStringLiteral(" is none of\n") +
                            told.filter(QStringLiteral("mail:jobs")).join(u'\n')));
    }
}

// As `lockkeeper history` does.
void TestDemoIncident::aTerminalSaysTheSame()
{
    RecordQueries queries(m_recorded->path());
    QVERIFY(queries.open());
    const auto told = [&](const char* layout, const QByteArray& name) {
        return lifeText(QString(), lifeOf(readLife(queries, {deployment(), {layout, name}}, 0,
                                                   m_recorded->nowMs())));
    };
    QVERIFY(told("set-nx-px", "lock:migration:2019").contains(QStringLiteral("OPS-43 left over")));
    QVERIFY(told("set-nx-px", m_lock).contains(QStringLiteral(", expired")));
    const QString queue = told("reliable-list", "mail:jobs");
    QVERIFY2(queue.contains(QStringLiteral("alert: ")) && queue.contains(QStringLiteral("OPS-42")),
             qPrintable(queue));
}

LK_WIDGET_TEST(TestDemoIncident);
#include "tst_demoincident.moc"
