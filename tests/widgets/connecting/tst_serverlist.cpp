// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/connectionfixture.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/dialogs/importdialog.h"
#include "widgets/dialogs/recentlist.h"

#include <QInputDialog>

using namespace lk;

using test::Fixture;
using test::parsed;

// The servers that a person keeps: in groups, starred, filtered, imported, and those of a team.
class TestServerList : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void plainOnesHaveNoTitles()
    {
        Fixture fixture;
        for (const char* url : {"redis://a", "redis://b"})
            fixture.recent.add({parsed(url), {}, {}, {}});
        fixture.open();
        QCOMPARE(rows(fixture), (QStringList{QStringLiteral("b"), QStringLiteral("a")}));
    }

    void groupsAndStarsHaveTheirTitles()
    {
        Fixture fixture;
        fixture.recent.addAll(
            {{parsed("redis://loose"), {}, {}, {}},
             {parsed("redis://eu"), {}, QStringLiteral("production"), {}, QStringLiteral("Orders")},
             {parsed("redis://us"), {}, {}, {}, QStringLiteral("Orders")},
             {parsed("redis://mail"), {}, {}, {}, QStringLiteral("Mail")}});
        fixture.open();
        QCOMPARE(rows(fixture), (QStringList{QStringLiteral("[Mail]"), QStringLiteral("mail"),
                                             QStringLiteral("[Orders]"), QStringLiteral("eu"),
                                             QStringLiteral("us"), QStringLiteral("[Recent]"),
                                             QStringLiteral("loose")}));
        QCOMPARE(list(fixture)->current()->url.host, QStringLiteral("mail")); // no title is current
        list(fixture)->setCurrentRow(6);
        QTest::mouseClick(fixture.button("Star"), Qt::LeftButton);
        QCOMPARE(rows(fixture).mid(0, 2),
                 (QStringList{QStringLiteral("[Starred]"), QStringLiteral("loose")}));
        QCOMPARE(list(fixture)->current()->url.host, QStringLiteral("loose"));
        // Found again by who starts anew.
        QCOMPARE(RecentServers(fixture.settings).list().size(), 4);
        QVERIFY(std::any_of(fixture.recent.list().begin(), fixture.recent.list().end(),
                            [](const RecentServer& s) {
                                return s.starred && s.url.host == QLatin1String("loose");
                            }));
        test::shoot(*fixture.dialog, QStringLiteral("connection-groups"));
        QTest::mouseClick(fixture.button("Unstar"), Qt::LeftButton);
        QCOMPARE(rows(fixture).front(), QStringLiteral("[Mail]"));
    }

    void aServerIsPutIntoAGroup()
    {
        Fixture fixture;
        fixture.recent.addAll({{parsed("redis://a"), {}, {}, {}},
                               {parsed("redis://b"), {}, {}, {}, QStringLiteral("Orders")}});
        fixture.open();
        QCOMPARE(rows(fixture).last(), QStringLiteral("a"));
        list(fixture)->setCurrentRow(3);
        QTest::mouseClick(fixture.button("Group\u2026"), Qt::LeftButton);
        auto* dialog = fixture.dialog->findChild<QInputDialog*>();
        QVERIFY(dialog);
        auto* field = dialog->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral(" Mail  eu "));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(rows(fixture).mid(0, 2),
                 (QStringList{QStringLiteral("[Mail eu]"), QStringLiteral("a")}));
        QCOMPARE(list(fixture)->current()->url.host, QStringLiteral("a"));
        QCOMPARE(RecentServers(fixture.settings).list().front().group, QStringLiteral("Mail eu"));
    }

    void theFilterFindsByNameAddressLabelAndGroup()
    {
        Fixture fixture;
        fixture.recent.addAll(
            {{parsed("redis://a"), {}, QStringLiteral("production"), {}, QStringLiteral("Orders")},
             {parsed("redis://b"), QStringLiteral("mailer"), {}, {}}});
        fixture.open();
        fixture.type("Filter the servers", QStringLiteral("PROD"));
        QCOMPARE(rows(fixture), (QStringList{QStringLiteral("[Orders]"), QStringLiteral("a")}));
        QCOMPARE(list(fixture)->current()->url.host, QStringLiteral("a"));
        fixture.type("Filter the servers", QStringLiteral("mail"));
        QCOMPARE(rows(fixture), QStringList{QStringLiteral("mailer")});
        fixture.type("Filter the servers", QStringLiteral("nothing like it"));
        QCOMPARE(rows(fixture), QStringList());
        QVERIFY(!list(fixture)->current());
    }

    // Servers that were opened later do not push out those that are starred or in a group.
    void starredAndGroupedOnesStay()
    {
        Fixture fixture;
        fixture.recent.addAll({{parsed("redis://kept"), {}, {}, {}, QStringLiteral("Orders")}});
        for (int i = 0; i < 2 * RecentServers::limit; ++i)
            fixture.recent.add(
                {parsed(qPrintable(QStringLiteral("redis://h%1").arg(i))), {}, {}, {}});
        QCOMPARE(fixture.recent.list().size(), RecentServers::limit + 1);
        QCOMPARE(fixture.recent.list().back().url.host, QStringLiteral("kept"));
        // Opened again it is where it was put.
        fixture.recent.add({parsed("redis://kept"), {}, {}, {}});
        QCOMPARE(fixture.recent.list().front().group, QStringLiteral("Orders"));
    }

    void theTeamsServersAreListedAndNotForgotten()
    {
        Fixture fixture;
        fixture.open();
        RecentServer team{parsed("redis://eu"),
                          QStringLiteral("orders-eu"),
                          QStringLiteral("production"),
                          {},
                          QStringLiteral("Orders")};
        team.isShared = true;
        fixture.dialog->setShared({team});
        QCOMPARE(rows(fixture),
                 (QStringList{QStringLiteral("[Orders]"), QStringLiteral("orders-eu")}));
        QVERIFY(!fixture.button("Forget")->isEnabled());
        QVERIFY(fixture.recent.list().isEmpty());
        QTest::mouseClick(fixture.button("Star"), Qt::LeftButton);
        QCOMPARE(rows(fixture),
                 (QStringList{QStringLiteral("[Starred]"), QStringLiteral("orders-eu")}));
        QCOMPARE(fixture.recent.list().size(), 1);
        QTest::mouseClick(fixture.button("Connect"), Qt::LeftButton);
        QTRY_COMPARE(fixture.chosen->size(), 1); // the keyring has answered
        QCOMPARE(fixture.choice().environment, QStringLiteral("production"));
        QCOMPARE(fixture.choice().name, QStringLiteral("orders-eu"));
    }

    void passwordsOfAnImportGoToTheKeyringOrNowhere_data()
    {
        QTest::addColumn<bool>("keep");
        QTest::newRow("to the keyring") << true;
        QTest::newRow("nowhere") << false;
    }
    void passwordsOfAnImportGoToTheKeyringOrNowhere()
    {
        QFETCH(bool, keep);
        Fixture fixture;
        const QString path = fixture.folder.filePath(QStringLiteral("servers.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"host":"eu","port":6379,"name":"orders","auth":"S3CRET"},{"host":"us"}])");
        file.close();
        fixture.open();
        QTest::mouseClick(fixture.button("Import\u2026"), Qt::LeftButton);
        test::ConsoleWindow::fillInFileName(path);
        QTRY_VERIFY(fixture.dialog->findChild<ImportDialog*>());
        auto* dialog = fixture.dialog->findChild<ImportDialog*>();
        auto* remember = dialog->findChild<RememberBox*>();
        QTRY_VERIFY(remember->box()->isEnabled());
        if (!keep)
            QTest::mouseClick(remember->box(), Qt::LeftButton, {},
                              {8, remember->box()->height() / 2});
        QCOMPARE(remember->isChecked(), keep);
        test::shoot(*dialog, QStringLiteral("import"));
        QTest::keyClick(dialog, Qt::Key_Return);
        QTRY_COMPARE(fixture.recent.list().size(), 2);
        QCOMPARE(rows(fixture), (QStringList{QStringLiteral("[Imported]"), QStringLiteral("orders"),
                                             QStringLiteral("us")}));
        if (keep)
            QTRY_COMPARE(fixture.secrets.secrets().values(), QStringList{QStringLiteral("S3CRET")});
        else
            QVERIFY(fixture.secrets.secrets().isEmpty());
        fixture.settings.sync();
        QFile settings(fixture.settings.fileName());
        QVERIFY(settings.open(QIODevice::ReadOnly));
        QVERIFY(!settings.readAll().contains("S3CRET"));
    }

    void aFileThatIsNoExportIsRefused()
    {
        Fixture fixture;
        const QString path = fixture.folder.filePath(QStringLiteral("x.ano"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("\x89PNG S3CRET");
        file.close();
        fixture.open();
        QTest::mouseClick(fixture.button("Import\u2026"), Qt::LeftButton);
        test::ConsoleWindow::fillInFileName(path);
        QTRY_VERIFY(fixture.problems().contains(QStringLiteral("No servers found")));
        QVERIFY(!fixture.problems().contains(QStringLiteral("S3CRET")));
        QVERIFY(fixture.recent.list().isEmpty());
    }

private:
    static RecentList* list(const Fixture& fixture)
    {
        return fixture.dialog->findChild<RecentList*>();
    }
    // The rows of the list, from the top; titles in brackets.
    static QStringList rows(const Fixture& fixture)
    {
        QStringList all;
        for (int row = 0; row < list(fixture)->count(); ++row) {
            const QListWidgetItem* item = list(fixture)->item(row);
            const QString text = item->data(Qt::UserRole).toString();
            all << (item->flags() == Qt::NoItemFlags ? QLatin1Char('[') + text + QLatin1Char(']')
                                                     : text);
        }
        return all;
    }
};

LK_WIDGET_TEST(TestServerList);
#include "tst_serverlist.moc"
