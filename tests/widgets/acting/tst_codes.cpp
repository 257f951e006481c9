// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/redactedname.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "tests/widgets/drawntexts.h"
#include "widgets/findings/findingspage.h"

#include <QClipboard>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

// A token's code is its key's name. The window shows none, says none and hands none on, until a
// person asks for just that one, in write mode.
class TestCodes : public QObject
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
        m_server.flush();
        m_server.lines(
            {"SET " + code + " p PX 600000",    // live
             "SET code:Qx7Kp9Zt2Mw4BvN8Lc3R p", // without a TTL: a finding
             "SETEX code:c17bd6 3600000 p", "HSET user_token:Gh0st5d4s3aQw8rTy used_by 1",
             "HSET user_token:Tw1ce8x7c6vQw8rTy meta x used_by 2", "SETEX invite:990234 600 a",
             "SETEX invite:990235 600 b", "SETEX invite:990236 600 c", "SETEX invite:990237 600 d",
             // Declared to be a hash and is none: its problem names the key.
             "SET wrong:Wr0ngQx7Kp9Zt2Mw4Bv p PX 600000", "SET lock:one owner-1 PX 600000"});
        QFile::remove(journalPath());
        QApplication::clipboard()->clear();
    }

    void noBoardShowsOne()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(tokens + 1));
        console.window.showBoard(test::Tokens);
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Tokens).size(), tokens, 10'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            console.session().findings().latest() &&
                console.session().findings().latest()->byCode.contains("ghost-token") &&
                console.session().findings().latest()->byCode.contains("token-codes-sequential"),
            20'000);
        QStringList names = console.cells(test::Tokens);
        QCOMPARE(names.removeDuplicates(), 0);
        for (const QString& name : console.cells(test::Tokens)) { // each in the pane
            console.clickRow(test::Tokens, name);
            QTRY_VERIFY(console.detail(test::Tokens).contains(name.left(8)));
            QCOMPARE(codesIn(test::allTexts(console.window)), QStringList());
        }
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            QTest::qWait(0);
            const QStringList texts = test::allTexts(console.window);
            QVERIFY2(texts.size() > 50, "as if nothing were there");
            QCOMPARE(codesIn(texts), QStringList());
        }
    }

    void whatIsDrawnIsLookedAt()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(test::drawnTexts(console.window).contains(masked()));
    }

    void copiesAndFilesHoldNone()
    {
        QTemporaryDir folder;
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(enableWriteMode(console));
        reveal(console);
        console.table(test::Tokens).selectAll();
        console.page(test::Tokens).copySelection();
        QTRY_VERIFY(QApplication::clipboard()->text().contains(QStringLiteral("user_token:")));
        QCOMPARE(codesIn({QApplication::clipboard()->text()}), QStringList());
        const QString path = folder.filePath(QStringLiteral("tokens.csv"));
        console.page(test::Tokens).exportCsv();
        ConsoleWindow::fillInFileName(path);
        QTRY_VERIFY(QFile(path).size() > 100);
        QCOMPARE(codesIn({contents(path)}), QStringList());
        console.window.showBoard(test::FindingsBoard);
        auto* table = console.window.findChild<QTableView*>(QStringLiteral("findingsTable"));
        QVERIFY(table);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() > 3, 20'000);
        table->selectAll();
        console.window.findChild<FindingsPage*>()->copySelection();
        QTRY_VERIFY(QApplication::clipboard()->text().contains(QStringLiteral("ghost-token")));
        QCOMPARE(codesIn({QApplication::clipboard()->text()}), QStringList());
    }

    void theRowMenuHandsOnNone()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QTableView& table = console.table(test::Tokens);
        const auto open = [&] {
            emit table.customContextMenuRequested(
                table.visualRect(table.model()->index(console.rowOf(test::Tokens, masked()), 0))
                    .center());
        };
        open();
        test::choose(QStringLiteral("Copy name"));
        QTRY_COMPARE(QApplication::clipboard()->text(), masked());
        open();
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QCOMPARE(codesIn(test::allTexts(*menu)), QStringList());
        for (QMenu* below : menu->findChildren<QMenu*>())
            QCOMPARE(codesIn(test::allTexts(*below)), QStringList());
        menu->close();
    }

    void plansAndReceiptsShowNone_data()
    {
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QByteArray>("action");
        QTest::newRow("revoke") << QStringLiteral("Revoke…") << QByteArray("token.revoke");
        QTest::newRow("consume") << QStringLiteral("Consume…") << QByteArray("token.consume");
        QTest::newRow("delete") << QStringLiteral("Delete key…") << QByteArray("key.delete");
    }
    void plansAndReceiptsShowNone()
    {
        QFETCH(QString, entry);
        QFETCH(QByteArray, action);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(enableWriteMode(console));
        act(console, entry);
        QTRY_VERIFY(dialog(console));
        if (auto* next = button(console, QStringLiteral("Plan")))
            QTest::mouseClick(next, Qt::LeftButton);
        QTRY_VERIFY(verb(console));
        QVERIFY(said(console).contains(masked()));
        QCOMPARE(codesIn(test::allTexts(*dialog(console))), QStringList());
        runPlan(console);
        QCOMPARE(m_server.run({"EXISTS", code}).integer, 0);
        QCOMPARE(codesIn(test::allTexts(*dialog(console))), QStringList());
        if (auto* undo = button(console, QStringLiteral("Undo…"))) {
            QTest::mouseClick(undo, Qt::LeftButton);
            QTRY_VERIFY(verb(console));
            QCOMPARE(codesIn(test::allTexts(*dialog(console))), QStringList());
        }
        QVERIFY(contents(journalPath()).contains(QString::fromLatin1(action)));
        QCOMPARE(codesIn({contents(journalPath())}), QStringList());
    }

    void readOnlyRevealsNothing()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        console.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(
            ConsoleWindow::texts(console.window).contains(QStringLiteral("Code not shown")));
        QCOMPARE(codesIn(test::allTexts(console.window)), QStringList());
        QVERIFY(!QFile::exists(journalPath()));
    }

    void revealsOneUntilWriteModeEnds()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(enableWriteMode(console));
        reveal(console);
        const QString name = QString::fromUtf8(code);
        QVERIFY(console.detail(test::Tokens).contains(name));
        // That one alone.
        QStringList rest = test::allTexts(console.window);
        rest.replaceInStrings(name, QString());
        QCOMPARE(codesIn(rest), QStringList());
        const QString kept = contents(journalPath());
        QVERIFY2(kept.contains(QStringLiteral("token.reveal")), qPrintable(kept));
        QVERIFY(kept.contains(masked()));
        QCOMPARE(codesIn({kept}), QStringList());
        console.session().acting().disableWriteMode();
        QTRY_VERIFY(console.rowOf(test::Tokens, masked()) >= 0);
        QTRY_VERIFY(!console.detail(test::Tokens).contains(name));
        QCOMPARE(codesIn(test::allTexts(console.window)), QStringList());
    }

    void hidesItAgain()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(enableWriteMode(console));
        reveal(console);
        console.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(console.rowOf(test::Tokens, masked()) >= 0);
        QCOMPARE(codesIn(test::allTexts(console.window)), QStringList());
    }

    // A reveal that cannot be written to the journal is not possible.
    void withoutAJournalThereIsNoReveal()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        QVERIFY(enableWriteMode(console));
        QVERIFY(QDir().mkpath(journalPath())); // a folder is in its place
        console.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(test::allTexts(console.window)
                        .join(QLatin1Char('\n'))
                        .contains(QStringLiteral("Code not shown")));
        QCOMPARE(codesIn(test::allTexts(console.window)), QStringList());
        QVERIFY(QDir().rmdir(journalPath()));
    }

    void theWholeCodeFindsItsRow()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, masked(), tokens + 1));
        for (const auto& [filter, rows] :
             {std::pair(QString::fromUtf8(code), 1), std::pair(QString::fromUtf8(code.mid(5)), 1),
              std::pair(QStringLiteral("code:h7Jk"), 1), std::pair(QStringLiteral("2mQx9T"), 0)}) {
            console.filter(test::Tokens).setText(filter);
            QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Tokens).size(), rows, 5'000);
        }
    }

private:
    static constexpr int tokens = 10;

    QString masked() const { return shownKey(Kind::Token, code); }
    QString journalPath() const { return m_folder.filePath(QStringLiteral("journal.jsonl")); }
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(
            m_server.url(), "[[token]]\nkey = \"wrong:*\"\nlayout = \"hash-token\"\n");
        setup.actionFiles = {journalPath(), m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    void reveal(ConsoleWindow& console)
    {
        console.press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(console.rowOf(test::Tokens, QString::fromUtf8(code)) >= 0, 10'000);
    }
    static QString contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    // The parts of codes that must stay hidden: all but the four characters that may be shown.
    static QStringList codesIn(const QStringList& texts)
    {
        QStringList found;
        for (const QString& text : texts) {
            for (const char* part : {"2mQx9Tz", "9Zt2Mw4", "c17bd", "t5d4s3a", "e8x7c6v", "990234",
                                     "990235", "990236", "990237", "gQx7Kp"}) {
                if (text.contains(QLatin1String(part)))
                    found << text;
            }
        }
        return found;
    }

    const QByteArray code = "code:h7Jk2mQx9TzRw4NbPq3c";
    QTemporaryDir m_folder;
    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestCodes);
#include "tst_codes.moc"
