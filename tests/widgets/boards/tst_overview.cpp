// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionstates.h"
#include "backend/text/time/ttlfilter.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/drawntexts.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/overview/overviewpage.h"
#include "widgets/overview/summarylist.h"
#include "widgets/server/serverpage.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

namespace {

// Records the events of a widget that change it.
class Touches final : public QObject
{
public:
    QList<QEvent::Type> seen;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        for (const QEvent::Type type :
             {QEvent::Paint, QEvent::ToolTipChange, QEvent::LayoutRequest, QEvent::Resize}) {
            if (event->type() == type)
                seen << type;
        }
        return false;
    }
};

} // namespace

// The two boards without a table.
class TestOverview : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void saysWhatNeedsAttention()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        const auto title = [&] { return ConsoleWindow::texts(console.window); };
        QTRY_VERIFY(title().contains(QStringLiteral("Needs attention (")));
        QTRY_VERIFY(
            !lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty());
        QTRY_VERIFY(!lines(console, "Fullest limiters").isEmpty());
        QVERIFY(lines(console, "Fullest limiters").front().startsWith(QStringLiteral("quota:a")));
        QCOMPARE(lines(console, "Deepest queues").size(), 1);
        // A lease ends the worry.
        m_server.lines({"PEXPIRE lock:orphan 600000", "SET quota:a 1 PX 290000"});
        console.press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(
            lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty(),
            20'000);
    }

    void nothingNeedsAttention()
    {
        m_server.lines({"FLUSHALL", "SET lock:one me PX 60000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        QTRY_COMPARE(list(console, "Needs attention")->accessibleDescription(),
                     QStringLiteral("Nothing needs attention right now."));
    }

    // A line that comes in is painted with the others at once: a view that lays its lines out a
    // moment later has none until then, and a picture that is taken in between shows neither lines
    // nor why there are none.
    void aNewLineLeavesNoEmptyList()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        SummaryList* deepest = list(console, "Deepest queues");
        QTRY_VERIFY(!test::drawnTexts(*deepest).filter(QStringLiteral("jobs")).isEmpty());
        QStringList painted;
        // The page was connected before.
        connect(&console.session().board(), &SessionBoard::summaryChanged, deepest, [&] {
            if (painted.isEmpty() && deepest->model()->rowCount() > 1)
                painted << QStringLiteral("Deepest queues") << test::drawnTexts(*deepest);
        });
        m_server.lines({"RPUSH mails m1", "RPUSH mails:processing m2"});
        console.press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(!painted.isEmpty(), 20'000);
        const QString all = painted.join(u' ');
        QVERIFY2(all.contains(QStringLiteral("jobs")) && all.contains(QStringLiteral("mails")),
                 qPrintable(all));
    }

    // Twice a second, for as long as it is open.
    void aCardThatSaysTheSameIsNotTouched()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("1 full")));
        auto* tile = ConsoleWindow::button<QToolButton>(console.window,
                                                        QStringLiteral("Open the board Locks"));
        QVERIFY(tile);
        QSignalSpy summaries(&console.session().board(), &SessionBoard::summaryChanged);
        QTRY_VERIFY_WITH_TIMEOUT(summaries.size() > 1, 10'000); // all have come to rest
        Touches touches;
        for (QWidget* part : tile->parentWidget()->findChildren<QWidget*>())
            part->installEventFilter(&touches);
        summaries.clear();
        QTRY_VERIFY_WITH_TIMEOUT(summaries.size() > 3, 10'000);
        QCOMPARE(touches.seen, QList<QEvent::Type>());
    }

    void theTilesCountAndLead()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("1 full")));
        const std::pair<const char*, int> tiles[] = {{"Open the board Limiters", test::Limiters},
                                                     {"Open the board Locks", test::Locks},
                                                     {"Open the board Queues", test::Queues},
                                                     {"Open the board Tokens", test::Tokens},
                                                     {"Open the board Patterns", test::Patterns}};
        for (const auto& [name, board] : tiles) {
            console.window.showBoard(test::Overview);
            auto* tile = ConsoleWindow::button<QToolButton>(console.window, QLatin1String(name));
            QVERIFY2(tile, name);
            QTest::mouseClick(tile, Qt::LeftButton);
            QCOMPARE(console.window.currentBoard(), board);
        }
    }

    // The whole card is a way to what is wrong there, whatever the board showed before.
    void aCardOpensWhatIsWorst()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        console.clickHeader(test::Locks, 0);
        console.filter(test::Locks).setText(QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks).size(), 1);
        console.window.showBoard(test::Overview);
        auto* tile = ConsoleWindow::button<QToolButton>(console.window,
                                                        QStringLiteral("Open the board Locks"));
        QTRY_VERIFY(tile->toolTip().contains(QStringLiteral("filtered by")));
        QWidget* card = tile->parentWidget()->parentWidget();
        QTest::mouseClick(card, Qt::LeftButton, {}, {card->width() / 2, card->height() - 4});
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_COMPARE(console.cells(test::Locks), QStringList{QStringLiteral("lock:orphan")});
        console.press(Qt::Key_Escape);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QCOMPARE(console.cells(test::Locks).front(), QStringLiteral("lock:orphan")); // the worst
    }

    // The board shows the primitives that a bar counts, the soonest first. Escape shows all again.
    void aBarOpensWhatEndsThen()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        ExpiryHistogram* leases = horizon(console, "Locks expiring");
        QTRY_COMPARE(leases->never(), 1);
        leases->setSpan(1'200'000); // two minutes a bar
        // The leases of 500 and 600 s stand in one bar, that of 700 s in the next.
        int bar = -1;
        int count = 0;
        for (size_t i = 0; i < leases->bins().size(); ++i) {
            if (leases->bins()[i].count > count) {
                bar = int(i);
                count = leases->bins()[i].count;
            }
        }
        QVERIFY(count >= 1);
        const QString span =
            TtlFilter::terms(leases->bins()[size_t(bar)].fromMs, leases->bins()[size_t(bar)].toMs);
        QTest::mouseClick(leases, Qt::LeftButton, {}, leases->barPlace(bar).center());
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QCOMPARE(console.filter(test::Locks).text(), span);
        QTRY_COMPARE(console.cells(test::Locks).size(), count);
        console.press(Qt::Key_Escape);
        QCOMPARE(console.filter(test::Locks).text(), QString());
        QTRY_COMPARE(console.cells(test::Locks),
                     (QStringList{QStringLiteral("lock:two"), QStringLiteral("lock:one"),
                                  QStringLiteral("lock:zed"), QStringLiteral("lock:orphan")}));
    }

    // The same by keys, and told to who does not see it.
    void barsByKeyboard()
    {
        m_server.lines({"SET code:later S3CRET PX 8000000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 1));
        ExpiryHistogram* tokens = horizon(console, "Live tokens expiring");
        QTRY_VERIFY(tokens->bins().front().toMs > 0 && tokens->later() + sum(*tokens) == 3);
        tokens->setSpan(100'000);
        QTRY_COMPARE(tokens->later(), 1);
        tokens->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY2(tokens->accessibleDescription().startsWith(QStringLiteral("1 in 1 m")) ||
                         tokens->accessibleDescription().startsWith(QStringLiteral("2 in 1 m")),
                     qPrintable(tokens->accessibleDescription()));
        QVERIFY(tokens->accessibleDescription().contains(
            QStringLiteral("Return: open these on the board Tokens")));
        QCOMPARE(tokens->accessibleName(), QStringLiteral("Live tokens expiring"));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(tokens, Qt::Key_Right);
        QVERIFY2(tokens->accessibleDescription().startsWith(QStringLiteral("1 later")),
                 qPrintable(tokens->accessibleDescription()));
        QTest::keyClick(tokens, Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::Tokens));
        QCOMPARE(console.filter(test::Tokens).text(), QStringLiteral("ttl>=100s"));
        QTRY_COMPARE(console.cells(test::Tokens), QStringList{test::tokenRow("code:later")});
        // The filter follows the TTL by itself as time passes.
        m_server.lines({"PEXPIRE code:later 101500"});
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Tokens).size(), 0, 15'000);
        // Primitives without an end have a bar of their own.
        console.window.showBoard(test::Overview);
        ExpiryHistogram* leases = horizon(console, "Locks expiring");
        QTRY_COMPARE(leases->never(), 1);
        leases->setFocus(Qt::BacktabFocusReason);
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(leases, Qt::Key_Right);
        QTest::keyClick(leases, Qt::Key_Space);
        QCOMPARE(console.filter(test::Locks).text(), QStringLiteral("ttl=none"));
        QTRY_COMPARE(console.cells(test::Locks), QStringList{QStringLiteral("lock:orphan")});
    }

    // Tokens that this console revoked are counted apart from those that others used, and from
    // those whose end was not seen.
    void howTokensEnded()
    {
        m_server.lines({"SET code:soon S3CRET PX 3000", "SET code:mine S3CRET PX 90000"});
        QTemporaryDir folder;
        Session::Setup acting = setup();
        acting.actionFiles = {folder.filePath(QStringLiteral("journal.jsonl")),
                              UndoStore(folder.filePath(QStringLiteral("undo")))};
        ConsoleWindow console(acting);
        QVERIFY(console.waitForScan(test::sampleCount + 2));
        auto* ended = console.window.findChild<QLabel*>(QStringLiteral("tokenEnds"));
        QTRY_COMPARE(ended->text(), QStringLiteral("none ended yet"));
        QVERIFY(ended->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(ended->text(), QStringLiteral("Ended: 1 expired"), 15'000);
        console.session().acting().enableWriteMode(60'000);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        PrimitivePtr mine;
        for (const auto& [handle, kept] : console.session().states().all()) {
            const StatePtr state = kept.state();
            if (state->primitive->id.name == "code:mine")
                mine = state->primitive;
        }
        QVERIFY(mine);
        QSignalSpy planned(&console.session().acting(), &SessionActing::planned);
        console.session().acting().planAction("token.revoke", {{mine}}, {});
        QTRY_COMPARE(planned.size(), 1);
        QVERIFY(!planned[0][0].value<PlanSet>().plans.empty());
        console.session().acting().run(planned[0][0].value<PlanSet>().ticket,
                                       QStringLiteral("test"));
        QTRY_COMPARE_WITH_TIMEOUT(ended->text(),
                                  QStringLiteral("Ended: 1 expired \u00b7 1 revoked"), 15'000);
        m_server.line("DEL code:be7a5d");
        QTRY_COMPARE_WITH_TIMEOUT(
            ended->text(), QStringLiteral("Ended: 1 expired \u00b7 1 revoked \u00b7 1 deleted"),
            15'000);
        QVERIFY(ended->toolTip().contains(QStringLiteral("by other clients")));
        horizon(console, "Locks expiring")->setFocus(Qt::TabFocusReason);
        test::shoot(console.window, QStringLiteral("overview-ends"));
    }

    void aDoubleClickGoesThere()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        SummaryList* attention = list(console, "Needs attention");
        QTRY_VERIFY(
            !lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty());
        int row = 0;
        while (!attention->model()->index(row, 0).data().toString().startsWith(
            QStringLiteral("lock:orphan")))
            ++row;
        const QPoint place = attention->visualRect(attention->model()->index(row, 0)).center();
        QTest::mouseClick(attention->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(attention->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:orphan")));
        QTRY_COMPARE(console.table(test::Locks).selectionModel()->selectedRows().size(), 1);
        QCOMPARE(console.table(test::Locks).currentIndex().data().toString(),
                 QStringLiteral("lock:orphan"));
    }

    void leadersByKeyboard()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        SummaryList* fullest = list(console, "Fullest limiters");
        QTRY_VERIFY(!lines(console, "Fullest limiters").isEmpty());
        fullest->setFocus();
        QTest::keyClick(fullest, Qt::Key_Down);
        QTest::keyClick(fullest, Qt::Key_Home);
        QTest::keyClick(fullest, Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::Limiters));
        QTRY_VERIFY(console.detail(test::Limiters).contains(QStringLiteral("quota:a")));
    }

    void theFilterDoesNotHideWhatWasChosen()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks).size(), 1);
        console.window.showBoard(test::Overview);
        SummaryList* attention = list(console, "Needs attention");
        QTRY_VERIFY(!lines(console, "Needs attention").isEmpty());
        attention->setFocus();
        attention->setCurrentIndex(attention->model()->index(0, 0));
        const QString name =
            attention->currentIndex().data().toString().section(QStringLiteral(": "), 0, 0);
        QTest::keyClick(attention, Qt::Key_Return);
        QVERIFY(console.detail(console.window.currentBoard()).contains(name));
    }

    void theServerInWords()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        const auto text = [&] {
            return ConsoleWindow::texts(*console.window.findChild<ServerPage*>());
        };
        QTRY_VERIFY2(text().contains(QStringLiteral("snapshots and the append-only file are off")),
                     qPrintable(text()));
        for (const char* said : {"A master without replicas", "Durability", "7.0", "Own cost",
                                 "every 250 ms", "Primitives known"})
            QVERIFY2(text().contains(QLatin1String(said)), said);
        m_server.line("CONFIG SET appendonly yes");
        QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("Durable: an append-only file")),
                                 20'000);
        m_server.lines({"CONFIG SET appendonly no", "CONFIG SET save \"60 1\""});
        QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("Partly durable: only snapshots")),
                                 20'000);
        m_server.line("CONFIG SET save \"\"");
    }

    void theServerWithoutInfo()
    {
        m_server.line("ACL SETUSER quiet on >pw ~* +@read +@connection +scan +time +client");
        Session::Setup quiet = setup();
        quiet.url.user = QStringLiteral("quiet");
        quiet.url.password = QStringLiteral("pw");
        ConsoleWindow console(quiet);
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        QTRY_VERIFY(ConsoleWindow::texts(*console.window.findChild<ServerPage*>())
                        .contains(QStringLiteral("no permission for INFO")));
        m_server.line("ACL DELUSER quiet");
    }

    // Settings that only CONFIG GET returns are unknown, and not "on" or "off".
    void theServerWithoutConfig()
    {
        m_server.line("CONFIG SET save \"\"");
        m_server.line("ACL SETUSER quiet on >pw ~* +@read +@connection +scan +time +client +info");
        Session::Setup quiet = setup();
        quiet.url.user = QStringLiteral("quiet");
        quiet.url.password = QStringLiteral("pw");
        ConsoleWindow console(quiet);
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        const auto text = [&] {
            return ConsoleWindow::texts(*console.window.findChild<ServerPage*>());
        };
        QTRY_VERIFY2(text().contains(QStringLiteral("Unknown: no append-only file")),
                     qPrintable(text()));
        QVERIFY(!text().contains(QStringLiteral("only snapshots are on")));
        QVERIFY(!text().contains(QStringLiteral("append-only file are off")));
        QVERIFY2(text().contains(QStringLiteral("marks keys as recently used")) ||
                     text().contains(QStringLiteral("does not mark keys as used")),
                 qPrintable(text()));
        m_server.line("ACL DELUSER quiet");
    }

private:
    static int sum(const ExpiryHistogram& chart)
    {
        int all = 0;
        for (const ExpiryHistogram::Bin& bin : chart.bins())
            all += bin.count;
        return all;
    }
    static ExpiryHistogram* horizon(ConsoleWindow& console, const char* name)
    {
        auto* overview = console.window.findChild<OverviewPage*>();
        for (ExpiryHistogram* chart : overview->findChildren<ExpiryHistogram*>()) {
            if (chart->accessibleName() == QLatin1String(name))
                return chart;
        }
        return nullptr;
    }
    static SummaryList* list(ConsoleWindow& console, const char* name)
    {
        for (SummaryList* list : console.window.findChildren<SummaryList*>()) {
            if (list->accessibleName() == QLatin1String(name))
                return list;
        }
        return nullptr;
    }
    static QStringList lines(ConsoleWindow& console, const char* name)
    {
        QStringList texts;
        const QAbstractItemModel& model = *list(console, name)->model();
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, 0).data().toString();
        return texts;
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestOverview);
#include "tst_overview.moc"
