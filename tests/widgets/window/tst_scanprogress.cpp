// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/controls/progressline.h"
#include "widgets/deployments/deploymentbutton.h"
#include "widgets/findings/findingspage.h"
#include "widgets/main/header/connectionbanner.h"
#include "widgets/main/statusline.h"
#include "widgets/overview/overviewpage.h"
#include "widgets/overview/summarylist.h"
#include "widgets/server/statustexts.h"

#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// The window's texts during a long scan, and how the user ends the scan.
class TestScanProgress : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    Session::Setup slowSetup() const
    {
        Session::Setup setup = setupFor(m_server.url());
        setup.limits.scanCommandsPerSecond = 500;
        return setup;
    }
    static QString status(ConsoleWindow& console)
    {
        return ConsoleWindow::texts(*console.window.findChild<StatusLine*>());
    }
    static QToolButton* stopButton(ConsoleWindow& console)
    {
        return ConsoleWindow::button<QToolButton>(*console.window.findChild<StatusLine*>(),
                                                  u"Stop the scan"_s);
    }

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        std::vector<Command> fill;
        for (int i = 0; i < 4000; ++i)
            fill.push_back({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "6000000"});
        m_server.runAll(fill);
    }

    void progressTexts_data();
    void progressTexts();
    void nothingIsCalmBeforeTheEnd();
    void stops_data();
    void stops();
    void whatIsDeniedIsSaid();
    void aPaceIsChosenAndRemembered();
    void aMemoryLimitEndsIt();
};

void TestScanProgress::progressTexts_data()
{
    QTest::addColumn<qint64>("scanned");
    QTest::addColumn<qint64>("expected");
    QTest::addColumn<qint64>("elapsedMs");
    QTest::addColumn<QString>("text");
    QTest::newRow("just begun") << 0LL << 1000LL << 0LL << u"scanning"_s;
    QTest::newRow("size unknown") << 500LL << 0LL << 4000LL << u"scanning"_s;
    QTest::newRow("a quarter") << 250LL << 1000LL << 30'000LL << u"scanning 25 %, 1 m 30 s left"_s;
    QTest::newRow("nearly") << 999LL << 1000LL << 30'000LL << u"scanning 99 %"_s;
    QTest::newRow("more than it said") << 2000LL << 1000LL << 30'000LL << u"scanning 99 %"_s;
}

void TestScanProgress::progressTexts()
{
    QFETCH(qint64, scanned);
    QFETCH(qint64, expected);
    QFETCH(qint64, elapsedMs);
    ScanCounts scan;
    scan.scanned = scanned;
    scan.expected = expected;
    scan.elapsedMs = elapsedMs;
    QTEST(scanProgressText(scan), "text");
}

// While keys are still to be read it is unknown whether all is well, and no text says so.
void TestScanProgress::nothingIsCalmBeforeTheEnd()
{
    ConsoleWindow console(slowSetup());
    console.window.showBoard(Overview);
    const DeploymentButton tab(&console.session());
    const auto list = [&](const QString& name) {
        for (SummaryList* one : console.window.findChildren<SummaryList*>()) {
            if (one->accessibleName() == name)
                return one;
        }
        return static_cast<SummaryList*>(nullptr);
    };
    QTRY_VERIFY_WITH_TIMEOUT(console.session().report().scan.scanned > 0 &&
                                 console.session().board().summary() && console.total() > 0,
                             15'000);
    QVERIFY(!console.session().report().scan.complete);
    for (const QString& name : {u"Needs attention"_s, u"Fullest limiters"_s, u"Busiest limiters"_s,
                                u"Deepest queues"_s}) {
        QVERIFY2(list(name), qPrintable(name));
        const QString none = list(name)->accessibleDescription();
        QVERIFY2(none.startsWith(u"Nothing found so far, "_s) &&
                     none.endsWith(u"% of the keys read."_s),
                 qPrintable(none));
    }
    const QString page = ConsoleWindow::texts(*console.window.findChild<OverviewPage*>());
    QVERIFY2(page.contains(u"so far)"_s) && !page.contains(u"none detected"_s), qPrintable(page));
    const ProgressLine* line = nullptr; // beside that of the page before there is anything
    for (const ProgressLine* one :
         console.window.findChild<OverviewPage*>()->findChildren<ProgressLine*>()) {
        if (one->accessibleName() == u"Progress of the first scan"_s)
            line = one;
    }
    QVERIFY(line && line->isVisible());
    QVERIFY2(tab.accessibleName().contains(u"of the keys read"_s),
             qPrintable(tab.accessibleName()));
    shoot(console.window, u"scan-overview"_s);
    console.window.showBoard(Queues);
    QTRY_VERIFY(ConsoleWindow::texts(console.page(Queues)).contains(u"Nothing found so far, "_s));
    shoot(console.window, u"scan-queues"_s);
    console.window.showBoard(Overview);
    console.session().polling().setScanPace(ScanPace::Fast);
    QTRY_VERIFY_WITH_TIMEOUT(console.session().report().scan.complete, 15'000);
    QTRY_COMPARE(list(u"Needs attention"_s)->accessibleDescription(),
                 u"Nothing needs attention right now."_s);
    QVERIFY(!line->isVisible());
    QTRY_VERIFY(!tab.accessibleName().contains(u"of the keys read"_s));
}

void TestScanProgress::stops_data()
{
    QTest::addColumn<bool>("byButton");
    QTest::newRow("the button") << true;
    QTest::newRow("the key") << false;
}

void TestScanProgress::stops()
{
    QFETCH(bool, byButton);
    ConsoleWindow console(slowSetup());
    QTRY_VERIFY_WITH_TIMEOUT(status(console).contains(u" left"_s), 15'000);
    QVERIFY(status(console).contains(u"scanning "_s));
    QToolButton* stop = stopButton(console);
    QVERIFY(stop);
    QCOMPARE(stop->focusPolicy(), Qt::StrongFocus);
    shoot(console.window, u"scan-progress"_s);
    if (byButton) {
        stop->setFocus(Qt::TabFocusReason);
        console.press(Qt::Key_Space);
    } else {
        console.press(Qt::Key_F5, Qt::ShiftModifier);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!stopButton(console), 5000);
    QTRY_VERIFY(status(console).contains(u"incomplete"_s));
    QVERIFY(console.session().report().scan.scanned < 4000);
    QTRY_VERIFY_WITH_TIMEOUT(
        console.session().findings().latest() &&
            console.session().findings().latest()->byCode.contains("not-readable"),
        15'000);
    shoot(console.window, u"scan-stopped"_s);
}

void TestScanProgress::whatIsDeniedIsSaid()
{
    m_server.line("ACL SETUSER some reset on >pw +@all ~nothing:*");
    Session::Setup setup = setupFor(m_server.url());
    setup.url.user = u"some"_s;
    setup.url.password = u"pw"_s;
    ConsoleWindow console(setup);
    QTRY_VERIFY_WITH_TIMEOUT(status(console).contains(u"incomplete"_s), 15'000);
    QVERIFY(status(console).contains(u"skipped 4,000"_s));
    QTRY_VERIFY_WITH_TIMEOUT(
        console.session().findings().latest() &&
            console.session().findings().latest()->byCode.contains("not-readable"),
        15'000);
    console.press(Qt::Key(int(Qt::Key_1) + int(FindingsBoard)), Qt::ControlModifier);
    FindingsPage& page = *console.window.findChild<FindingsPage*>();
    QTRY_COMPARE(page.findChild<QTableView*>()->model()->rowCount(), 1);
    page.findChild<QTableView*>()->selectRow(0);
    QTRY_VERIFY(ConsoleWindow::texts(page).contains(u"4,000 of 4,000 keys"_s));
    QVERIFY(ConsoleWindow::texts(page).contains(u"The scan itself"_s));
    QVERIFY(!ConsoleWindow::button(page, u"Show rows"_s)); // on no board
    shoot(console.window, u"scan-denied"_s);
}

// The slow scan of the setting up above comes to its end once it may be fast; the choice is part of
// what is remembered of a deployment.
void TestScanProgress::aPaceIsChosenAndRemembered()
{
    QVariantMap view;
    {
        ConsoleWindow console(slowSetup());
        QTRY_VERIFY(console.session().report().scanning);
        QAction* fast = nullptr;
        for (QMenu* menu : console.window.menuBar()->findChildren<QMenu*>()) {
            for (QAction* action : menu->actions()) {
                if (action->text().startsWith(u"&Fast"_s))
                    fast = action;
            }
        }
        QVERIFY(fast);
        fast->trigger();
        QVERIFY(fast->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(console.session().report().scan.complete, 15'000);
        view = console.window.viewState();
    }
    QCOMPARE(view.value(u"scan-pace"_s).toString(), u"fast"_s);
    ConsoleWindow console(slowSetup());
    console.window.setViewState(view);
    QTRY_VERIFY_WITH_TIMEOUT(console.session().report().scan.complete, 15'000);
}

// A person enters it; what is shown is said not to be all, and how the rest is to be known.
void TestScanProgress::aMemoryLimitEndsIt()
{
    ConsoleWindow console(slowSetup());
    QTRY_VERIFY(console.session().report().scanning);
    QAction* limit = nullptr;
    for (QMenu* menu : console.window.menuBar()->findChildren<QMenu*>()) {
        for (QAction* action : menu->actions()) {
            if (action->text().startsWith(u"Memory &limit"_s))
                limit = action;
        }
    }
    QVERIFY(limit);
    QTimer::singleShot(0, &console.window, [] {
        auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        QVERIFY(dialog->intValue() > 100); // half of what the machine has
        dialog->setIntValue(1);
        dialog->accept();
    });
    limit->trigger();
    const auto& banner = *console.window.findChild<ConnectionBanner*>();
    QVERIFY(waitUntil([&] { return banner.text().contains(u"memory limit of 1.0 MB"_s); }));
    QVERIFY2(banner.text().contains(u"of 4,000 keys"_s), qPrintable(banner.text()));
    QVERIFY2(banner.text().contains(u"lockkeeper snapshot URL --sample"_s),
             qPrintable(banner.text()));
    QVERIFY(console.session().report().scan.scanned < 4000);
    shoot(console.window, u"scan-memory-limit"_s);
    QCOMPARE(console.window.viewState().value(u"memory-limit"_s).toLongLong(), 1'000'000);
    console.session().polling().setMemoryLimit(0);
    console.press(Qt::Key_F5);
    QVERIFY(waitUntil([&] { return console.session().report().scan.complete; }, 30'000));
    QVERIFY(waitUntil([&] { return !banner.isVisible(); }));
}

LK_WIDGET_TEST(TestScanProgress);
#include "tst_scanprogress.moc"
