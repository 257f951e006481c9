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

/// Asks which server to look at. Recent ones on the left, the address and how to get in on the
/// right. Writes nothing but what the person tells it to forget: who gets the choice remembers
/// the server and its password once the connection stands.
class ConnectionDialog final : public QDialog
{
    Q_OBJECT

public:
    /// Both outlive the dialog.
    ConnectionDialog(RecentServers& recent, SecretStore& secrets, QWidget* parent = nullptr);

    /// Why a connection that was chosen before could not be made.
    void showError(const Error& error);
    /// The same of a connection test, whose list of stages tells why.
    void showFailed(CheckStage::Id stage, const Error& error);
    /// A choice is opened beside what is open; this offers to close the one in front for it.
    void offerReplacing(const QString& name);
    /// What a team file gives, besides the servers of the person's own.
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
