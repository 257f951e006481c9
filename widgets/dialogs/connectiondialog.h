// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/check/checkstage.h"
#include "widgets/dialogs/connectionchoice.h"
#include "widgets/dialogs/recentservers.h"

#include <QDialog>

#include <functional>

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace lk {

class ConnectionCheck;
class ConnectionForm;
class InlineMessage;
class RecentList;
class SecretStore;
class StageList;

/// Asks for a server. Recent ones are on the left, the address and the credentials on the right.
/// Stores nothing, except that it forgets servers on request: the caller remembers the server and
/// its password once the connection stands.
class ConnectionDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog.
    ConnectionDialog(RecentServers& recent, SecretStore& secrets, QWidget* parent = nullptr);

    /// Shows why the last chosen connection failed.
    void showError(const Error& error);
    /// Shows a failed connection test, whose list of stages gives the reason.
    void showFailed(CheckStage::Id stage, const Error& error);
    /// A chosen server opens beside the open ones. Offers to close the one in front instead.
    void offerReplacing(const QString& name);
    /// Sets the servers of a team file, which are listed besides the user's own.
    void setShared(const QList<RecentServer>& servers);
    void setServer(const RecentServer& server); ///< fills the form and looks for its password

public slots:
    void accept() override;
    void done(int result) override;

protected:
    bool event(QEvent* event) override;

signals:
    void chosen(const lk::ConnectionChoice& choice);

private:
    QWidget* makeRecentSide();
    QWidget* makeFormSide();
    QLayout* makeButtons();
    void styleDemoButton();
    void growToFit();
    void listen();
    void onCurrentChanged();
    void showServers();
    void forgetCurrent();
    void starCurrent();
    void chooseGroup();
    void reselect(const ServerUrl& url);
    void chooseImport();
    void importFrom(const QString& path);
    void test();
    void onTested();
    void endTest();
    void onEdited();
    void chooseDemo();
    /// Calls the step at once, or when the keyring has answered for the server chosen last.
    void whenPasswordKnown(std::function<void()> step);

    RecentServers& m_recent;
    SecretStore& m_secrets;
    ConnectionCheck* m_check = nullptr; ///< a child; null while there is no test
    RecentList* m_list;
    QLineEdit* m_filter;
    QPushButton* m_star;
    QPushButton* m_group;
    QPushButton* m_forget;
    QPushButton* m_import;
    QList<RecentServer> m_shared;
    ConnectionForm* m_form;
    StageList* m_stages;
    InlineMessage* m_outcome;
    QCheckBox* m_replace;
    QPushButton* m_demo = nullptr;
    QPushButton* m_test;
    QPushButton* m_connect;
    std::function<void()> m_nextStep;
    int m_secretsAsked = 0; ///< counts questions to the keyring: only the last answer counts
    bool m_asking = false;
};

} // namespace lk
