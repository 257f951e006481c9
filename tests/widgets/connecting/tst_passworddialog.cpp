// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/secrets/secretstore.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/input/passwordfield.h"
#include "widgets/dialogs/passworddialog.h"
#include "widgets/dialogs/rememberbox.h"

#include <QCheckBox>
#include <QClipboard>
#include <QSignalSpy>
#include <QTest>

using namespace lk;

namespace {

ServerUrl url()
{
    ServerUrl url = *parseServerUrl(QStringLiteral("redis://ann:wrong@10.0.0.7:6380/2"));
    url.sentinelUser = QStringLiteral("guard");
    return url;
}

} // namespace

class TestPasswordDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void saysWhichServerAndWhatItSaid_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("said");
        QTest::newRow("asked") << int(ErrorCode::NoAuth) << QStringLiteral("requires a password");
        QTest::newRow("refused") << int(ErrorCode::WrongPass) << QStringLiteral("Wrong user name");
        QTest::newRow("asked by Sentinels")
            << int(ErrorCode::SentinelNoAuth) << QStringLiteral("The Sentinels require");
        QTest::newRow("refused by Sentinels")
            << int(ErrorCode::SentinelWrongPass) << QStringLiteral("The Sentinels refuse");
    }

    void saysWhichServerAndWhatItSaid()
    {
        QFETCH(int, code);
        QFETCH(QString, said);
        PasswordDialog dialog(url(), QStringLiteral("orders-eu"), {ErrorCode(code), {}}, m_secrets);
        QString all;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            all += label->text() + QLatin1Char('\n');
        QVERIFY(all.contains(QStringLiteral("10.0.0.7:6380/2")));
        QVERIFY(all.contains(QStringLiteral("orders-eu")));
        QVERIFY2(all.contains(said), qPrintable(all));
        QCOMPARE(dialog.findChild<InlineMessage*>()->isProblem(),
                 ErrorCode(code) == ErrorCode::WrongPass ||
                     ErrorCode(code) == ErrorCode::SentinelWrongPass);
        // The user name belongs to the Sentinels or to the server.
        QCOMPARE(dialog.findChild<QLineEdit*>()->text(), isSentinelLogin(ErrorCode(code))
                                                             ? QStringLiteral("guard")
                                                             : QStringLiteral("ann"));
    }

    void givesWhatWasEntered()
    {
        PasswordDialog dialog(url(), {}, {ErrorCode::NoAuth, {}}, m_secrets);
        QSignalSpy entered(&dialog, &PasswordDialog::entered);
        auto* remember = dialog.findChild<RememberBox*>();
        QTRY_VERIFY(remember->box()->isEnabled());
        dialog.show();
        QVERIFY(password(dialog)->text().isEmpty()); // the refused one is not offered again
        QTest::keyClicks(password(dialog), QStringLiteral("s3cret"));
        remember->box()->click();
        QTest::keyClick(password(dialog), Qt::Key_Return);
        QCOMPARE(entered.size(), 1);
        const QVariantList expected{QStringLiteral("ann"), QStringLiteral("s3cret"), true};
        QCOMPARE(entered[0], expected);
        QVERIFY(!dialog.isVisible());
    }

    void anEmptyPasswordIsNotSent()
    {
        PasswordDialog dialog(url(), {}, {ErrorCode::NoAuth, {}}, m_secrets);
        QSignalSpy entered(&dialog, &PasswordDialog::entered);
        dialog.show();
        QTest::keyClick(password(dialog), Qt::Key_Return);
        QCOMPARE(entered.size(), 0);
        QVERIFY(dialog.isVisible());
        QVERIFY(dialog.findChild<InlineMessage*>()->isProblem());
    }

    void cannotRememberWithoutAKeyring()
    {
        MemorySecretStore broken;
        broken.setBroken({ErrorCode::NotInstalled, QStringLiteral("This desktop has no keyring")});
        PasswordDialog dialog(url(), {}, {ErrorCode::WrongPass, {}}, broken);
        auto* remember = dialog.findChild<RememberBox*>();
        QTRY_COMPARE(remember->reason(), QStringLiteral("This desktop has no keyring"));
        remember->setChecked(true);
        QVERIFY(!remember->box()->isEnabled());
        QVERIFY(!remember->isChecked());
        test::shoot(dialog, QStringLiteral("password-refused"));
        QCOMPARE(test::clippedTexts(dialog), QStringList());
    }

    void thePasswordCannotBeSeenCopiedOrBroughtBack()
    {
        PasswordField field;
        QGuiApplication::clipboard()->setText(QStringLiteral("before"));
        QTest::keyClicks(&field, QStringLiteral("s3cret"));
        QVERIFY(!field.displayText().contains(QStringLiteral("s3")));
        field.selectAll();
        QTest::keyClick(&field, Qt::Key_C, Qt::ControlModifier);
        QTest::keyClick(&field, Qt::Key_X, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
        field.clear();
        QTest::keyClick(&field, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(field.text(), QString());
    }

    void pictures()
    {
        PasswordDialog dialog(url(), QStringLiteral("orders-eu"), {ErrorCode::NoAuth, {}},
                              m_secrets);
        QTRY_VERIFY(dialog.findChild<RememberBox*>()->box()->isEnabled());
        test::shoot(dialog, QStringLiteral("password"));
        QCOMPARE(test::clippedTexts(dialog), QStringList());
    }

private:
    static PasswordField* password(const PasswordDialog& dialog)
    {
        return dialog.findChild<PasswordField*>();
    }

    MemorySecretStore m_secrets;
};

LK_WIDGET_TEST(TestPasswordDialog);
#include "tst_passworddialog.moc"
