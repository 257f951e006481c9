// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "tests/widgets/bullqueue.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/search/searchdialog.h"
#include "widgets/search/searchmodel.h"

#include <QAbstractItemModelTester>

using namespace lk;
using namespace lk::test;

// Ctrl+K: one field for everything.
class TestSearch : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        fillWithSamples(m_server);
        m_server.lines({"SET quota:user:42 10 PX 290000", "SET quota:minute:42 4 PX 50000",
                        "SET lock:job:42 host-a PX 600000"});
    }

    void theVerdictTellsWhyAClientIsRefused()
    {
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount + 3));
        SearchDialog* dialog = open(console, QStringLiteral("42"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog), (QStringList{QStringLiteral("quota:user:42"),
                                                  QStringLiteral("quota:minute:42"),
                                                  QStringLiteral("lock:job:42")}));
        auto* verdict = dialog->findChild<InlineMessage*>(QStringLiteral("verdict"));
        QTRY_VERIFY(verdict->isVisible());
        QVERIFY2(verdict->text().startsWith(QStringLiteral("42 is rejected by 1 of 2 limiters;")),
                 qPrintable(verdict->text()));
        QVERIFY2(verdict->text().contains(QStringLiteral("retry after 4 m")),
                 qPrintable(verdict->text()));
        QVERIFY(cell(*dialog, 0, SearchModel::StateColumn)
                    .startsWith(QStringLiteral("10 of 10 used, next free in 4 m")));
        QCOMPARE(cell(*dialog, 1, SearchModel::StateColumn), QStringLiteral("4 of 10 used"));
        // It is kept up to date while the dialog is open.
        m_server.line("DEL quota:user:42");
        QTRY_VERIFY_WITH_TIMEOUT(verdict->text().startsWith(QStringLiteral("42 is not rejected")),
                                 10'000);
    }

    // A limit that is not stored: it is unknown whether the client is refused, and a tick mark
    // would say that it is not.
    void anUnknownLimitIsNoVerdict()
    {
        m_server.line("SET quota:user:mallory 7 PX 290000");
        const QByteArray config = QByteArray(sampleConfig).replace("limit = 10\n", "");
        ConsoleWindow console(setupFor(m_server.url(), config));
        QVERIFY(console.waitForScan(sampleCount + 4));
        SearchDialog* dialog = open(console, QStringLiteral("mallory"));
        QVERIFY(dialog);
        auto* verdict = dialog->findChild<InlineMessage*>(QStringLiteral("verdict"));
        QTRY_COMPARE(verdict->text(),
                     QStringLiteral("Cannot tell: the limit of 1 of 1 limiters is not known."));
        QCOMPARE(verdict->tone(), InlineMessage::Tone::Unknown);
        const auto* declare =
            ConsoleWindow::button<QPushButton>(*dialog, QStringLiteral("Declare\u2026"));
        QVERIFY(declare && declare->isEnabled());
        shoot(*dialog, QStringLiteral("search-unknown"));
        // No part of a name is a client.
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("quota"));
        QTRY_VERIFY(names(*dialog).size() > 1);
        QTRY_VERIFY(!verdict->isVisible());
    }

    void enterOpensTheBoard()
    {
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount + 3));
        SearchDialog* dialog = open(console, QStringLiteral("host-a"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog), QStringList{QStringLiteral("lock:job:42")});
        QCOMPARE(cell(*dialog, 0, SearchModel::FoundColumn), QStringLiteral("owner host-a"));
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(console.window.currentBoard(), int(Locks));
        QTRY_VERIFY(console.detail(Locks).contains(QStringLiteral("lock:job:42")));
        QTRY_VERIFY(!console.window.findChild<SearchDialog*>());
    }

    // However many jobs there are: by its id.
    void aJobIsFoundByItsId()
    {
        fillWithBullQueue(m_server, 3000);
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount + 4));
        SearchDialog* dialog = open(console, QStringLiteral("1234"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog), QStringList{QStringLiteral("1234")});
        QCOMPARE(cell(*dialog, 0, SearchModel::FoundColumn), QStringLiteral("ID, in email"));
        QCOMPARE(cell(*dialog, 0, SearchModel::StateColumn), QStringLiteral("mailbox full"));
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(console.window.currentBoard(), int(Queues));
        QTRY_VERIFY(console.window.findChild<JobDialog*>());
        const auto* job = console.window.findChild<JobDialog*>();
        QTRY_VERIFY(ConsoleWindow::texts(*job).contains(QStringLiteral("email: job 1234")));
    }

    void downGoesThroughTheRows()
    {
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount + 3));
        SearchDialog* dialog = open(console, QStringLiteral("quota"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog).size(), 5);
        auto* table = dialog->findChild<QTableView*>();
        QCOMPARE(table->currentIndex().row(), 0);
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), 1);
        const QString chosen = names(*dialog).at(1);
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(console.window.currentBoard(), int(Limiters));
        QTRY_VERIFY(console.detail(Limiters).contains(chosen));
    }

    void commandsAndBoardsAreFound()
    {
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount));
        SearchDialog* dialog = open(console, QStringLiteral("journ"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog), QStringList{QStringLiteral("Journal")});
        QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(console.window.currentBoard(), int(JournalBoard));
    }

    // A limiter is reset from here, by its own plan.
    void actionsOfTheSelection()
    {
        ConsoleWindow console(setupFor(m_server.url(), sampleConfig));
        QVERIFY(console.waitForScan(sampleCount + 3));
        SearchDialog* dialog = open(console, QStringLiteral("user:42"));
        QVERIFY(dialog);
        QTRY_COMPARE(names(*dialog).size(), 1);
        auto* actions = ConsoleWindow::button<QPushButton>(*dialog, QStringLiteral("Actions"));
        QVERIFY(actions && actions->isEnabled());
        emit actions->menu()->aboutToShow();
        QStringList offered;
        for (const QAction* action : actions->menu()->actions())
            offered << action->text();
        QVERIFY2(offered.join(QLatin1Char('|')).contains(QStringLiteral("Clear\u2026")),
                 qPrintable(offered.join(QLatin1Char('|'))));
    }

    void theModelKeepsItsRules()
    {
        SearchModel model;
        QAbstractItemModelTester tester(&model);
        auto results = std::make_shared<SearchResults>();
        auto primitive = std::make_shared<Primitive>();
        primitive->id = {"fixed-window", "api"};
        auto state = std::make_shared<State>();
        state->primitive = primitive;
        results->hits.push_back({Handle(1), state, SearchHit::By::Name, "api", true, Allowance{}});
        QAction action(QStringLiteral("&Journal"), nullptr);
        model.setCommands({&action});
        model.setResults(results);
        QCOMPARE(model.rowCount(), 2);
        QVERIFY(model.hit(1) && model.hit(1)->handle == Handle(1));
        QCOMPARE(model.command(0), &action);
        model.setResults({});
        QCOMPARE(model.rowCount(), 1);
    }

    void pictures()
    {
        for (const QSize size : {QSize(1280, 800), QSize(1024, 700)}) {
            ConsoleWindow console(setupFor(m_server.url(), sampleConfig), size);
            QVERIFY(console.waitForScan(sampleCount + 3));
            SearchDialog* dialog = open(console, QStringLiteral("42"));
            QVERIFY(dialog);
            QTRY_COMPARE(names(*dialog).size(), 3);
            shoot(*dialog, QStringLiteral("search-%1").arg(size.width()));
            QCOMPARE(clippedTexts(*dialog), QStringList());
        }
    }

private:
    static SearchDialog* open(ConsoleWindow& console, const QString& text)
    {
        console.press(Qt::Key_K, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] {
                auto* dialog = console.window.findChild<SearchDialog*>();
                return dialog && dialog->isActiveWindow() && dialog->focusWidget();
            }))
            return nullptr;
        auto* dialog = console.window.findChild<SearchDialog*>();
        QTest::keyClicks(dialog->focusWidget(), text);
        return dialog;
    }
    static QString cell(SearchDialog& dialog, int row, int column)
    {
        return dialog.findChild<SearchModel*>()->index(row, column).data().toString();
    }
    static QStringList names(SearchDialog& dialog)
    {
        QStringList all;
        for (int row = 0; row < dialog.findChild<SearchModel*>()->rowCount(); ++row)
            all << cell(dialog, row, SearchModel::NameColumn);
        return all;
    }

    RedisServer m_server;
};

LK_WIDGET_TEST(TestSearch);
#include "tst_search.moc"
