// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/dialogs/connectiondialog.h"
#include "widgets/dialogs/rememberbox.h"

#include <QCheckBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace lk::test {

/// The dialog with settings and a keyring of its own, and its fields by the names that the user
/// sees.
struct Fixture
{
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
    RecentServers recent{settings};
    MemorySecretStore secrets;
    std::unique_ptr<ConnectionDialog> dialog;
    std::unique_ptr<QSignalSpy> chosen;

    void open()
    {
        dialog = std::make_unique<ConnectionDialog>(recent, secrets);
        chosen = std::make_unique<QSignalSpy>(dialog.get(), &ConnectionDialog::chosen);
        dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(dialog.get()));
        QTRY_VERIFY(remember()->box()->isEnabled() ||
                    !remember()->reason().endsWith(QChar(0x2026)));
    }

    template<typename Widget> Widget* named(const char* name) const
    {
        for (Widget* widget : dialog->findChildren<Widget*>()) {
            if (widget->accessibleName() == QLatin1String(name))
                return widget;
        }
        return nullptr;
    }
    QLineEdit* line(const char* name) const { return named<QLineEdit>(name); }
    QPushButton* button(const char* text) const
    {
        for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
            if (button->text().remove(QLatin1Char('&')) == QString::fromUtf8(text))
                return button;
        }
        return nullptr;
    }
    RememberBox* remember() const { return dialog->findChild<RememberBox*>(); }
    QCheckBox* tls() const
    {
        for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
            if (box != remember()->box())
                return box;
        }
        return nullptr;
    }
    /// Every message that is a problem, and the others, one per line.
    QString messages(InlineMessage::Tone tone) const
    {
        QStringList texts;
        for (const InlineMessage* message : dialog->findChildren<InlineMessage*>()) {
            if (message->tone() == tone)
                texts << message->text();
        }
        return texts.join(QLatin1Char('\n'));
    }
    QString problems() const { return messages(InlineMessage::Tone::Problem); }

    void type(const char* field, const QString& text) const
    {
        line(field)->clear();
        QTest::keyClicks(line(field), text);
    }
    void paste(const char* field, const QString& text) const
    {
        line(field)->selectAll();
        line(field)->insert(text);
    }
    ConnectionChoice choice() const
    {
        return chosen->isEmpty() ? ConnectionChoice{}
                                 : chosen->last().front().value<ConnectionChoice>();
    }
    void writeConfig(const char* toml)
    {
        QFile file(configPath());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(toml) >= 0);
    }
    QString configPath() const { return folder.filePath(QStringLiteral("lockkeeper.toml")); }
};

inline ServerUrl parsed(const char* url)
{
    return *parseServerUrl(QLatin1String(url));
}

} // namespace lk::test
