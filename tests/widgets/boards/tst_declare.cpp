// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/declare/configdialog.h"
#include "widgets/findings/findingspage.h"

#include <QSignalSpy>

using namespace lk;
using test::ConsoleWindow;

// The user declares facts that Redis does not contain, on the board: they are written to the file
// and apply from then on.
class TestDeclare : public QObject
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
        write("# by hand\n[[limiter]]\nkey = \"quota:*\" # all\nlayout = \"fixed-window\"\n");
    }

    void anUnknownLimitIsDeclaredInPlace()
    {
        {
            ConsoleWindow console(setup());
            QVERIFY(test::openBoard(console, test::Limiters, QStringLiteral("quota:b")));
            QSignalSpy edited(&console.session(), &Session::configEdited);
            auto* declare = ConsoleWindow::button<QToolButton>(
                console.page(test::Limiters), QStringLiteral("Declare limit and window…"));
            QTRY_VERIFY(declare && declare->isVisible());
            QTest::mouseClick(declare, Qt::LeftButton);
            QTRY_VERIFY(dialog(console));
            QCOMPARE(field(console, "pattern")->text(), QStringLiteral("quota:*"));
            auto* ok =
                ConsoleWindow::button<QPushButton>(*dialog(console), QStringLiteral("Write"));
            QTest::keyClicks(field(console, "limit"), QStringLiteral("ten"));
            QTRY_VERIFY(!ok->isEnabled());
            field(console, "limit")->clear();
            QTest::keyClicks(field(console, "limit"), QStringLiteral("10"));
            field(console, "window")->clear();
            QTest::keyClicks(field(console, "window"), QStringLiteral("5m"));
            QTRY_VERIFY(ok->isEnabled());
            QVERIFY(said(console).contains(QStringLiteral("limit = 10\nwindow = \"5m\"")));
            QVERIFY(said(console).contains(m_path));
            QVERIFY(!contents().contains("limit =")); // nothing is written yet
            test::shoot(*dialog(console), QStringLiteral("declare"));
            QTest::keyClick(field(console, "window"), Qt::Key_Return);
            QTRY_COMPARE(edited.size(), 1);
            QVERIFY2(said(console).contains(QStringLiteral("lines 5 to 6 of ") + m_path),
                     qPrintable(said(console)));
            QCOMPARE(contents(),
                     QByteArray("# by hand\n[[limiter]]\nkey = \"quota:*\" # all\n"
                                "layout = \"fixed-window\"\nlimit = 10\nwindow = \"5m\"\n"));
        }
        ConsoleWindow console(setup());
        QVERIFY(test::openBoard(console, test::Limiters, QStringLiteral("quota:b")));
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("4 / 10"));
        QVERIFY(!ConsoleWindow::button<QToolButton>(console.page(test::Limiters),
                                                    QStringLiteral("Declare limit and window…")));
    }

    // In the same window: what stands on the screen stays there, with what is known now.
    void whatIsDeclaredCountsWithoutANewSession()
    {
        ConsoleWindow console(setup());
        QVERIFY(test::openBoard(console, test::Limiters, QStringLiteral("quota:b")));
        Session& session = console.session();
        connect(&session, &Session::configEdited, &session,
                [&] { session.applyConfig(loadConfig(m_path).value()); });
        const Handle selected = console.page(test::Limiters).selected();
        auto* declare = ConsoleWindow::button<QToolButton>(
            console.page(test::Limiters), QStringLiteral("Declare limit and window…"));
        QTRY_VERIFY(declare && declare->isVisible());
        QTest::mouseClick(declare, Qt::LeftButton);
        QTRY_VERIFY(dialog(console));
        QTest::keyClicks(field(console, "limit"), QStringLiteral("10"));
        field(console, "window")->clear();
        QTest::keyClicks(field(console, "window"), QStringLiteral("5m"));
        QTRY_VERIFY(ConsoleWindow::button<QPushButton>(*dialog(console), QStringLiteral("Write"))
                        ->isEnabled());
        QTest::keyClick(field(console, "window"), Qt::Key_Return);
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("4 / 10"));
        QCOMPARE(console.page(test::Limiters).selected(), selected);
        QVERIFY(console.detail(test::Limiters).contains(QStringLiteral("quota:b")));
        QTRY_VERIFY(!declare->isVisible());
    }

    void anyRowCanBeNotWhatItWasTakenFor()
    {
        {
            ConsoleWindow console(setup());
            QVERIFY(test::openBoard(console, test::Tokens, test::tokenRow("code:a1fa5c")));
            QSignalSpy edited(&console.session(), &Session::configEdited);
            QTableView& table = console.table(test::Tokens);
            emit table.customContextMenuRequested(table.visualRect(table.currentIndex()).center());
            test::choose(QStringLiteral("This is not a token…"));
            QTRY_VERIFY(dialog(console));
            // No code gets into the file.
            QCOMPARE(field(console, "pattern")->text(), QStringLiteral("code:*"));
            QVERIFY(!said(console).contains(QStringLiteral("a1fa5c")));
            QTRY_VERIFY(said(console).contains(QStringLiteral("[[ignore]]\nkey = \"code:*\"")));
            test::shoot(*dialog(console), QStringLiteral("ignore"));
            QTest::keyClick(dialog(console), Qt::Key_Return);
            QTRY_COMPARE(edited.size(), 1);
        }
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount - 2));
        QCOMPARE(console.session().board().summary()->of(Kind::Token).total, 0);
        QVERIFY(contents().startsWith("# by hand\n"));
    }

    void aFindingIsSilencedWhereItIsSeen()
    {
        {
            ConsoleWindow console(setup());
            QVERIFY(console.waitForScan(test::sampleCount));
            FindingsPage& page = *console.window.findChild<FindingsPage*>();
            console.window.showBoard(test::FindingsBoard);
            QTRY_VERIFY_WITH_TIMEOUT(rowOf(page, "lock:orphan") >= 0, 15'000);
            page.table()->selectRow(rowOf(page, "lock:orphan"));
            auto* silence =
                ConsoleWindow::button<QToolButton>(page, QStringLiteral("Silence here…"));
            QTRY_VERIFY(silence);
            QSignalSpy edited(&console.session(), &Session::configEdited);
            QTest::mouseClick(silence, Qt::LeftButton);
            QTRY_VERIFY(dialog(console));
            QTRY_VERIFY(said(console).contains(QStringLiteral(
                "[[silence]]\ncode = \"lock-without-ttl\"\nmatch = \"lock:orphan\"")));
            test::shoot(*dialog(console), QStringLiteral("silence"));
            QTest::keyClick(dialog(console), Qt::Key_Return);
            QTRY_COMPARE(edited.size(), 1);
        }
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        FindingsPage& page = *console.window.findChild<FindingsPage*>();
        console.window.showBoard(test::FindingsBoard);
        QTRY_VERIFY_WITH_TIMEOUT(console.session().findings().latest() &&
                                     console.session().findings().latest()->silenced == 1,
                                 15'000);
        QVERIFY(rowOf(page, "lock:orphan") < 0);
        QTRY_VERIFY(ConsoleWindow::button(page, QStringLiteral("Show silenced (1)")));
    }

    // An error in the file is reported before anything is written, and nothing is written.
    void aBrokenFileIsLeftAlone()
    {
        ConsoleWindow console(setup());
        QVERIFY(test::openBoard(console, test::Limiters, QStringLiteral("quota:b")));
        write("# by hand\n[[limitter]]\n");
        QTest::mouseClick(
            ConsoleWindow::button<QToolButton>(console.page(test::Limiters),
                                               QStringLiteral("Declare limit and window…")),
            Qt::LeftButton);
        QTRY_VERIFY(dialog(console));
        QTest::keyClicks(field(console, "limit"), QStringLiteral("10"));
        QTRY_VERIFY2(said(console).contains(QStringLiteral(":2: unknown table")),
                     qPrintable(said(console)));
        QVERIFY(!ConsoleWindow::button<QPushButton>(*dialog(console), QStringLiteral("Write"))
                     ->isEnabled());
        QTest::keyClick(dialog(console), Qt::Key_Return);
        QCOMPARE(contents(), QByteArray("# by hand\n[[limitter]]\n"));
    }

private:
    void write(const QByteArray& toml) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(toml);
    }
    QByteArray contents() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url());
        setup.config = loadConfig(m_path).value();
        const Config samples = parseConfig(test::sampleConfig, m_path).value();
        for (const DeclarationPtr& known : samples.declarations) {
            if (known->kind != Kind::Limiter)
                setup.config.declarations.push_back(known);
        }
        setup.configFile = m_path;
        return setup;
    }
    static ConfigDialog* dialog(ConsoleWindow& console)
    {
        auto* found = console.window.findChild<ConfigDialog*>();
        return found && found->isVisible() ? found : nullptr;
    }
    static QString said(ConsoleWindow& console) { return ConsoleWindow::texts(*dialog(console)); }
    static QLineEdit* field(ConsoleWindow& console, const char* name)
    {
        return dialog(console)->findChild<QLineEdit*>(QLatin1String(name));
    }
    static int rowOf(FindingsPage& page, const char* name)
    {
        const QAbstractItemModel& model = *page.table()->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            for (int column = 0; column < model.columnCount(); ++column) {
                if (model.index(row, column).data().toString() == QLatin1String(name))
                    return row;
            }
        }
        return -1;
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
    QString m_path = m_folder.filePath(QStringLiteral("lockkeeper.toml"));
};

LK_WIDGET_TEST(TestDeclare);
#include "tst_declare.moc"
