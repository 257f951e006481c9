// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/connectionfixture.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/dialogs/recentlist.h"
#include "widgets/dialogs/stagelist.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

using namespace lk;
using test::Fixture;
using test::parsed;

// The Test button, the way through the dialog by keyboard, and how it looks.
class TestConnectionTry : public QObject
{
    Q_OBJECT

    // The titles that the list of stages shows, in their order; or in column 3 what was found.
    static QString stagesOf(const Fixture& fixture, int column = 1)
    {
        QStringList titles;
        const auto* list = fixture.dialog->findChild<StageList*>();
        const auto* grid = qobject_cast<QGridLayout*>(list->layout());
        for (int row = 0; list->isVisible() && row < grid->rowCount(); ++row) {
            if (const QLayoutItem* item = grid->itemAtPosition(row, column))
                titles << qobject_cast<QLabel*>(item->widget())->text();
        }
        return titles.join(QLatin1Char(' '));
    }

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void testsAConnection()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        server.run({"SET", "a", "1"});
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", server.urlText());
        fixture.button("Test")->click();
        QVERIFY(!fixture.button("Test")->isEnabled());
        const auto said = [&] { return fixture.messages(InlineMessage::Tone::Ok); };
        QTRY_VERIFY_WITH_TIMEOUT(said().contains(QStringLiteral("Connected")), 10'000);
        QCOMPARE(stagesOf(fixture), QStringLiteral("Socket Login Permissions Role"));
        for (const char* fact : {"Redis ", "a master", "round trip", "1 key"})
            QVERIFY2(said().contains(QLatin1String(fact)), qPrintable(said()));
        QVERIFY(fixture.button("Test")->isEnabled());
        QCOMPARE(fixture.chosen->size(), 0);
        test::shoot(*fixture.dialog, QStringLiteral("connect-test-good"));
        QCOMPARE(test::clippedTexts(*fixture.dialog), QStringList());
    }

    void aTestSaysWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("pong");
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("passwordAsked");
        QTest::newRow("password missing") << QByteArray("-NOAUTH Authentication required.\r\n")
                                          << QStringLiteral("requires a password") << true;
        QTest::newRow("loading") << QByteArray("-LOADING Redis is loading\r\n")
                                 << QStringLiteral("loading its data") << false;
        QTest::newRow("not a Redis") << QByteArray("HTTP/1.1 400 Bad Request\r\n")
                                     << QStringLiteral("Not a Redis server") << false;
    }

    void aTestSaysWhatIsWrong()
    {
        QFETCH(QByteArray, pong);
        QFETCH(QString, said);
        QFETCH(bool, passwordAsked);
        test::FaultServer server;
        server.answer("PING", pong);
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", server.url().withoutPassword());
        fixture.button("Test")->click();
        QTRY_VERIFY_WITH_TIMEOUT(stagesOf(fixture, 3).contains(said), 10'000);
        QTRY_VERIFY(fixture.problems().contains(QStringLiteral("Not connected: the stage Login")));
        QVERIFY(!fixture.problems().contains(said)); // once is enough
        QTRY_COMPARE(fixture.line("Password")->hasFocus(), passwordAsked);
        QCOMPARE(server.connections(), 1); // one try, never two
    }

    void anEditEndsTheTest()
    {
        test::FaultServer server;
        server.answer("PING", QByteArray()); // never answers
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", server.url().withoutPassword());
        fixture.button("Test")->click();
        QTRY_VERIFY(server.receivedCount("PING") > 0);
        QVERIFY(!fixture.messages(InlineMessage::Tone::Busy).isEmpty());
        fixture.type("User", QStringLiteral("ann"));
        QVERIFY(fixture.messages(InlineMessage::Tone::Busy).isEmpty());
        QVERIFY(fixture.button("Test")->isEnabled());
    }

    void theStageThatFailsIsNamed()
    {
        Fixture fixture;
        fixture.open();
        fixture.paste("Address", QStringLiteral("127.0.0.1:1"));
        fixture.button("Test")->click();
        QTRY_VERIFY_WITH_TIMEOUT(stagesOf(fixture, 3).contains(QStringLiteral("refused")), 10'000);
        QCOMPARE(stagesOf(fixture), QStringLiteral("TCP"));
        QTRY_COMPARE(fixture.problems(), QStringLiteral("Not connected: the stage TCP failed."));
        test::shoot(*fixture.dialog, QStringLiteral("connect-test-refused"));
        QCOMPARE(test::clippedTexts(*fixture.dialog), QStringList());
        fixture.type("SSH jump host", QStringLiteral("-oProxyCommand=x"));
        QCOMPARE(stagesOf(fixture), QString());
        fixture.button("Test")->click();
        QTRY_VERIFY(fixture.problems().contains(QStringLiteral("invalid character")));
    }

    void sentinelsHaveALoginOfTheirOwn()
    {
        Fixture fixture;
        fixture.open();
        QVERIFY(!fixture.line("Sentinel user")->isVisible());
        fixture.type("Address", QStringLiteral("redis-sentinel://h/mymaster"));
        QVERIFY(fixture.line("Sentinel user")->isVisible());
        fixture.type("Sentinel user", QStringLiteral("guard"));
        fixture.type("Sentinel password", QStringLiteral("pw"));
        fixture.type("SSH jump host", QStringLiteral("ops@jump"));
        test::shoot(*fixture.dialog, QStringLiteral("connect-sentinel"));
        QCOMPARE(test::clippedTexts(*fixture.dialog), QStringList());
        QTest::keyClick(fixture.line("Address"), Qt::Key_Return);
        QCOMPARE(fixture.chosen->size(), 1);
        QVERIFY(fixture.choice().url ==
                parsed("redis-sentinel://h/mymaster?sentinel_user=guard&sentinel_password=pw"
                       "&ssh=ops@jump"));
    }

    void everyFieldIsReachedAndNamed()
    {
        Fixture fixture;
        fixture.open();
        fixture.tls()->click();
        QSet<QWidget*> reached;
        QWidget* first = QApplication::focusWidget();
        QVERIFY(first);
        do {
            QWidget* now = QApplication::focusWidget();
            QVERIFY(now);
            reached << now;
            const auto* button = qobject_cast<QAbstractButton*>(now);
            QVERIFY2(!now->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     now->metaObject()->className());
            QTest::keyClick(now, Qt::Key_Tab);
        } while (!reached.contains(QApplication::focusWidget()));
        for (const QLineEdit* line : fixture.dialog->findChildren<QLineEdit*>()) {
            if (line->isVisible() && !qobject_cast<QAbstractSpinBox*>(line->parent()) &&
                !qobject_cast<QComboBox*>(line->parent()))
                QVERIFY2(reached.contains(const_cast<QLineEdit*>(line)),
                         qPrintable(line->accessibleName()));
        }
        for (QPushButton* button : fixture.dialog->findChildren<QPushButton*>())
            QVERIFY2(reached.contains(button) || !button->isEnabled(), qPrintable(button->text()));
    }

    void pictures()
    {
        Fixture empty;
        empty.secrets.setBroken(
            {ErrorCode::NotInstalled, QStringLiteral("This desktop has no keyring")});
        empty.open();
        test::shoot(*empty.dialog, QStringLiteral("connect-first"));
        QVERIFY(empty.dialog->width() <= 960 && empty.dialog->height() <= 600);
        QCOMPARE(test::clippedTexts(*empty.dialog), QStringList());

        Fixture fixture;
        const char* names[] = {"session-cache", "orders-us", "orders-eu"};
        const char* environments[] = {"", "staging", "production"};
        const char* urls[] = {"unix:///run/redis/redis-server.sock", "redis://10.12.0.7:6380/2",
                              "rediss://console@orders-eu.redis.example.com:6379"};
        for (int i = 0; i < 3; ++i)
            fixture.recent.add(
                {parsed(urls[i]), QLatin1String(names[i]), QLatin1String(environments[i]), {}});
        fixture.recent.add({parsed("127.0.0.1"), {}, QStringLiteral("development"), {}});
        fixture.open();
        fixture.dialog->findChild<RecentList*>()->setCurrentRow(1);
        fixture.dialog->showError({ErrorCode::WrongPass, {}});
        test::shoot(*fixture.dialog, QStringLiteral("connect-recent"));
        QVERIFY(fixture.dialog->width() <= 960 && fixture.dialog->height() <= 600);
        QCOMPARE(test::clippedTexts(*fixture.dialog), QStringList());
    }
};

LK_WIDGET_TEST(TestConnectionTry);
#include "tst_connectiontry.moc"
