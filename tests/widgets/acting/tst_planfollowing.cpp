// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/actions/plan/codeview.h"
#include "widgets/actions/plan/receiptview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/journal/journalmodel.h"
#include "widgets/journal/journalpage.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>

using namespace lk;
using namespace lk::test;

// An open plan while the server goes on: it follows what it was made of, and what no longer fits
// changes nothing.
class TestPlanFollowing : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        test::fillWithSamples(m_server);
        QFile::remove(setup().actionFiles.journal);
    }

    void aConflictIsTold()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(verb(console));
        m_server.line("SET lock:two somebody-else PX 600000");
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(receipt(console) == outcomeTitle(Outcome::Conflict), 10'000);
        QCOMPARE(m_server.line("GET lock:two").text, QByteArray("somebody-else"));
        QVERIFY(!button(console, QStringLiteral("Undo…")));
        // One key more: the plan of what is there now, once that is read.
        QTRY_VERIFY_WITH_TIMEOUT(
            console.detail(test::Locks).contains(QStringLiteral("somebody-else")), 10'000);
        QVERIFY(button(console, QStringLiteral("Replan"))->hasFocus());
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(said(console).contains(QStringLiteral("the owner is still somebody-else")));
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:two").integer, 0);
    }

    // The window need not have seen the change yet: planning again reads first.
    void aConflictIsPlannedAgainOfWhatIsThereNow()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(verb(console));
        console.session().polling().setPaused(true); // nothing else is read from here on
        m_server.line("SET lock:two somebody-else PX 600000");
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(receipt(console) == outcomeTitle(Outcome::Conflict), 10'000);
        QVERIFY(!console.detail(test::Locks).contains(QStringLiteral("somebody-else")));
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_F5);
        QTRY_VERIFY2(said(console).contains(QStringLiteral("the owner is still somebody-else")),
                     qPrintable(said(console)));
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:two").integer, 0);
    }

    // Like any other plan, an undo shows before it runs that the data has changed.
    void anOpenUndoPlanFollowsWhatItIsMadeOf()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        runPlan(console);
        QTest::mouseClick(button(console, QStringLiteral("Undo…")), Qt::LeftButton);
        QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
        QCOMPARE(verb(console)->text(), QStringLiteral("Undo"));
        auto* stale = dialog(console)->findChild<QWidget*>(QStringLiteral("stalePlan"));
        QSignalSpy compared(&console.session().acting(), &SessionActing::planned);
        QTRY_COMPARE(compared.size(), 1); // once, for what came in between
        QVERIFY(!stale->isVisible());
        m_server.line("SET lock:two third PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(stale->isVisible(), 10'000);
        QVERIFY2(said(console).contains(QStringLiteral("it has changed since the action to undo")),
                 qPrintable(said(console)));
        QVERIFY(!verb(console)->isEnabled());
        m_server.line("DEL lock:two");
        QTRY_VERIFY_WITH_TIMEOUT(!stale->isVisible(), 10'000);
        QVERIFY(verb(console)->isEnabled());
        runPlan(console);
        QCOMPARE(m_server.line("GET lock:two").text, QByteArray("owner-2"));
    }

    // The undo of a push: a worker took the job meanwhile.
    void anOpenUndoOfAPushFollowsTheQueue()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Queues, QStringLiteral("jobs")));
        QVERIFY(enableWriteMode(console));
        const StatePtr jobs = console.session().states().at(console.page(test::Queues).selected());
        const Action* push = findAction(*findLayout("reliable-list"), "queue.push");
        QVERIFY(push);
        ActionDialog::open(&console.session(), {push, {jobs}, {}, {}}, &console.window);
        QTRY_VERIFY(dialog(console));
        dialog(console)
            ->findChild<QPlainTextEdit*>(QStringLiteral("payload"))
            ->setPlainText(QStringLiteral("j9"));
        QTest::mouseClick(button(console, QStringLiteral("Plan")), Qt::LeftButton);
        runPlan(console);
        QTest::mouseClick(button(console, QStringLiteral("Undo…")), Qt::LeftButton);
        QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
        auto* stale = dialog(console)->findChild<QWidget*>(QStringLiteral("stalePlan"));
        m_server.line("RPUSH jobs other"); // does not affect the plan
        QSignalSpy compared(&console.session().acting(), &SessionActing::planned);
        QTRY_VERIFY_WITH_TIMEOUT(!compared.empty(), 10'000);
        QVERIFY(!stale->isVisible());
        m_server.line("LREM jobs 0 j9");
        QTRY_VERIFY_WITH_TIMEOUT(stale->isVisible(), 10'000);
        QVERIFY(!verb(console)->isEnabled());
    }

    // Also of what is on no board in front: it is read as long as its plan is shown.
    void anOpenPlanFollowsWhatItIsMadeOf()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        const StatePtr two = console.session().states().at(console.page(test::Locks).selected());
        console.window.showBoard(test::Overview);
        const Action* release = findAction(*findLayout("set-nx-px"), "lock.release");
        ActionDialog::open(&console.session(), {release, {two}, {}, {}}, &console.window);
        QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
        const auto stale = [&] {
            return dialog(console)->findChild<QWidget*>(QStringLiteral("stalePlan"));
        };
        QVERIFY(!stale()->isVisible());
        m_server.line("SET lock:two somebody-else PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(stale()->isVisible(), 10'000);
        QVERIFY2(said(console).contains(
                     QStringLiteral("The lock is held by somebody-else, not by owner-2")),
                 qPrintable(said(console)));
        QVERIFY(!verb(console)->isEnabled());
        QVERIFY(button(console, QStringLiteral("Replan")));
        test::shoot(*dialog(console), QStringLiteral("plan-stale"));
        // It comes back to what it was: the plan is good again.
        m_server.line("SET lock:two owner-2 PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(!stale()->isVisible(), 10'000);
        QVERIFY(verb(console)->isEnabled());
        m_server.line("DEL lock:two");
        QTRY_VERIFY_WITH_TIMEOUT(stale()->isVisible(), 10'000);
        m_server.line("SET lock:two third PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(said(console).contains(QStringLiteral("held by third")), 10'000);
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_F5);
        QTRY_VERIFY(said(console).contains(QStringLiteral("the owner is still third")));
        QVERIFY(!stale()->isVisible());
        runPlan(console);
    }

    // Nothing is planned anew as long as only time goes by.
    void aPlanOfWhatStaysIsLeftAlone()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(verb(console));
        QSignalSpy planned(&console.session().acting(), &SessionActing::planned);
        QTRY_COMPARE(planned.size(), 1); // what came in between, once
        QSignalSpy reports(&console.session(), &Session::reported);
        QTRY_VERIFY_WITH_TIMEOUT(reports.size() >= 3, 15'000);
        QCOMPARE(planned.size(), 1);
        QVERIFY(verb(console)->isEnabled());
    }

    void aWronglyNamedOwnerIsToldInThePlan()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        const StatePtr two = console.session().states().at(console.page(test::Locks).selected());
        const Action* release = findAction(*findLayout("set-nx-px"), "lock.release");
        ActionDialog::open(&console.session(), {release, {two}, {}, {}, {}, {{"owner", "owner-1"}}},
                           &console.window);
        QTRY_VERIFY2(
            said(console).contains(QStringLiteral("The lock is held by owner-2, not by owner-1")),
            qPrintable(said(console)));
        QVERIFY(!verb(console));
        QVERIFY(said(console).contains(QStringLiteral("is not possible")));
    }

    // Among several steps, those that changed are listed one by one; the others can still run.
    void ofManyThoseThatChangedAreTold()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        console.clickRow(test::Locks, QStringLiteral("lock:one"));
        console.clickRow(test::Locks, QStringLiteral("lock:two"), Qt::ControlModifier);
        act(console, QStringLiteral("Release for 2 selected…"));
        QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
        m_server.line("SET lock:two somebody-else PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(
            said(console).contains(QStringLiteral("Changed since this plan was made: 1 of 2")),
            10'000);
        QVERIFY(verb(console)->isEnabled());
        auto* steps = dialog(console)->findChild<QTableView*>();
        QStringList words;
        for (int row = 0; row < 2; ++row)
            words << steps->model()->index(row, 0).data().toString() + QLatin1Char(' ') +
                         steps->model()->index(row, StepModel::OutcomeColumn).data().toString();
        words.sort();
        QCOMPARE(words, (QStringList{QStringLiteral("lock:one planned"),
                                     QStringLiteral("lock:two would conflict")}));
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receipt(console), QStringLiteral("Partly succeeded"), 10'000);
        // Planned again is only what conflicted.
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_F5);
        QTRY_VERIFY(said(console).contains(QStringLiteral("Release the lock lock:two?")));
        QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
    }

private:
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url(), test::sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestPlanFollowing);
#include "tst_planfollowing.moc"
