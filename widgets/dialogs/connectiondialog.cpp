// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/connectiondialog.h"

#include "backend/redis/check/connectioncheck.h"
#include "backend/secrets/secretstore.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/dialogs/connectionform.h"
#include "widgets/dialogs/importdialog.h"
#include "widgets/dialogs/recentlist.h"
#include "widgets/dialogs/stagelist.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QCheckBox>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace lk {

ConnectionDialog::ConnectionDialog(RecentServers& recent, SecretStore& secrets, QWidget* parent)
    : QDialog(parent)
    , m_recent(recent)
    , m_secrets(secrets)
{
    setWindowTitle(tr("Connect – Lockkeeper"));
    rowIn(this, {16, 16, 16, 16}, 24, {makeRecentSide(), {makeFormSide(), 1}});
    listen();
    showServers();
    m_list->selectFirst();
    onCurrentChanged();
    onEdited();
    m_form->focusAddress();
    resize(880, layout()->totalHeightForWidth(880));
}

bool ConnectionDialog::event(QEvent* event)
{
    const bool taken = QDialog::event(event);
    if (event->type() == QEvent::PaletteChange && m_demo)
        styleDemoButton();
    if (event->type() == QEvent::LayoutRequest)
        growToFit();
    return taken;
}

// A long message under a field makes the window taller; Qt does not do that for wrapped text.
void ConnectionDialog::growToFit()
{
    const int wanted = layout()->totalHeightForWidth(width());
    if (height() < wanted)
        resize(width(), wanted);
}

void ConnectionDialog::styleDemoButton()
{
    const QColor color = themeColors(palette()).accent;
    if (m_demo->palette().color(QPalette::ButtonText) == color)
        return;
    QPalette link = palette();
    link.setColor(QPalette::ButtonText, color);
    m_demo->setPalette(link);
    m_demo->setIcon(icon(QStringLiteral("play"), ColorRole::Accent, palette()));
}

QWidget* ConnectionDialog::makeRecentSide()
{
    auto* side = new QWidget(this);
    auto* column = columnIn(side, {}, 8);
    auto* title = new QLabel(tr("&Servers"), side);
    m_list = new RecentList(side);
    title->setBuddy(m_list);
    m_forget = new QPushButton(tr("&Forget"), side);
    m_forget->setToolTip(tr("Removes the server from this list and its password from the keyring"));
    m_forget->setAutoDefault(false);
    m_filter = new QLineEdit(side);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setAccessibleName(tr("Filter the servers"));
    m_filter->setClearButtonEnabled(true);
    m_star = new QPushButton(tr("St&ar"), side);
    m_star->setToolTip(tr("Keeps the server at the top of the list"));
    m_group = new QPushButton(tr("&Group\u2026"), side);
    m_group->setToolTip(tr("Puts the server into a group and keeps it in the list"));
    m_group->setAutoDefault(false);
    m_import = new QPushButton(tr("&Import\u2026"), side);
    m_import->setToolTip(tr("Reads URLs, one per line, or an export from RedisInsight or Another "
                            "Redis Desktop Manager"));
    m_star->setAutoDefault(false);
    m_import->setAutoDefault(false);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton* button : {m_star, m_group, m_forget})
        buttons->addWidget(button);
    title->setMinimumHeight(QFontMetrics(uiFont(TextSize::Title)).height());
    column->addWidget(title);
    column->addSpacing(8); // the list begins where the first field does
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
    column->addLayout(buttons);
    column->addWidget(m_import, 0, Qt::AlignLeft);
    side->setFixedWidth(std::max(m_list->sizeHint().width(), buttons->sizeHint().width()));
    return side;
}

QWidget* ConnectionDialog::makeFormSide()
{
    auto* side = new QWidget(this);
    auto* title = new QLabel(tr("Connect to Redis"), side);
    title->setFont(uiFont(TextSize::Title));
    m_form = new ConnectionForm(m_secrets, side);
    m_stages = new StageList(side);
    m_outcome = new InlineMessage(side);
    m_outcome->setMinimumHeight(3 * QFontMetrics(uiFont(TextSize::Caption)).lineSpacing());
    m_replace = new QCheckBox(side);
    m_replace->hide();
    columnIn(side, {}, 8,
             {title, BoxGap{8}, m_form, BoxStretch{}, BoxGap{8}, m_stages, m_outcome, m_replace,
              makeButtons()});
    return side;
}

QLayout* ConnectionDialog::makeButtons()
{
    m_demo = new QPushButton(tr("Open the de&mo"), this);
    m_demo->setFlat(true);
    m_demo->setToolTip(tr("A private server with live traffic, deleted when the window closes"));
    styleDemoButton();
    m_test = new QPushButton(tr("&Test"), this);
    m_test->setToolTip(tr("Connects, shows how each stage went, and disconnects"));
    auto* cancel = new QPushButton(tr("Cancel"), this);
    m_connect = new QPushButton(tr("&Connect"), this);
    for (QPushButton* button : {m_demo, m_test, cancel})
        button->setAutoDefault(false);
    m_connect->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto* row = rowOf(8, {m_demo, BoxStretch{}, m_test, cancel, m_connect});
    return row;
}

void ConnectionDialog::listen()
{
    connect(m_list, &QListWidget::currentRowChanged, this, &ConnectionDialog::onCurrentChanged);
    connect(m_list, &QListWidget::itemDoubleClicked, this, &ConnectionDialog::accept);
    connect(m_list, &RecentList::forgetRequested, this, &ConnectionDialog::forgetCurrent);
    connect(m_forget, &QPushButton::clicked, this, &ConnectionDialog::forgetCurrent);
    connect(m_star, &QPushButton::clicked, this, &ConnectionDialog::starCurrent);
    connect(m_group, &QPushButton::clicked, this, &ConnectionDialog::chooseGroup);
    connect(m_import, &QPushButton::clicked, this, &ConnectionDialog::chooseImport);
    connect(m_filter, &QLineEdit::textChanged, this, [this] {
        showServers();
        m_list->selectFirst();
    });
    connect(m_form, &ConnectionForm::edited, this, &ConnectionDialog::onEdited);
    connect(m_demo, &QPushButton::clicked, this, &ConnectionDialog::chooseDemo);
    connect(m_test, &QPushButton::clicked, this, [this] { whenPasswordKnown([this] { test(); }); });
    connect(m_connect, &QPushButton::clicked, this, &ConnectionDialog::accept);
}

void ConnectionDialog::offerReplacing(const QString& name)
{
    QString shown = QFontMetrics(font()).elidedText(name, Qt::ElideMiddle, 280);
    m_replace->setText(tr("C&lose %1").arg(shown.replace(QLatin1Char('&'), QStringLiteral("&&"))));
    m_replace->setToolTip(tr("Otherwise it stays open beside the new one"));
    m_replace->show();
    growToFit();
}

void ConnectionDialog::onCurrentChanged()
{
    const std::optional<RecentServer> server = m_list->current();
    m_forget->setEnabled(server && !server->isShared);
    m_star->setEnabled(server.has_value());
    m_group->setEnabled(server && !server->isShared);
    m_star->setText(server && server->starred ? tr("Unst&ar") : tr("St&ar"));
    if (server)
        setServer(*server);
}

void ConnectionDialog::setServer(const RecentServer& server)
{
    m_form->setServer(server);
    m_asking = true;
    m_nextStep = nullptr;
    const QString key = secretKey(server.url);
    m_secrets.read(key, this,
                   [this, key, question = ++m_secretsAsked](const Result<QString>& password) {
                       if (question != m_secretsAsked)
                           return;
                       m_asking = false;
                       if (password)
                           m_form->setStoredPassword(key, *password);
                       if (auto step = std::exchange(m_nextStep, nullptr))
                           step();
                   });
}

void ConnectionDialog::whenPasswordKnown(std::function<void()> step)
{
    if (!m_asking) {
        step();
        return;
    }
    m_outcome->setMessage(InlineMessage::Tone::Busy, tr("Asking the keyring for the password…"));
    m_nextStep = std::move(step);
}

void ConnectionDialog::forgetCurrent()
{
    const std::optional<RecentServer> server = m_list->current();
    if (!server)
        return;
    const int row = m_list->currentRow();
    m_recent.remove(server->url);
    m_secrets.remove(secretKey(server->url), this, [](const Result<void>&) {});
    showServers();
    m_list->setCurrentRow(qMin(row, m_list->count() - 1));
    if (!m_list->current())
        m_list->selectFirst();
    onCurrentChanged();
}

void ConnectionDialog::setShared(const QList<RecentServer>& servers)
{
    m_shared = servers;
    showServers();
    m_list->selectFirst();
    onCurrentChanged();
}

// The user's own entry of a server replaces the team's: it may be starred.
void ConnectionDialog::showServers()
{
    QList<RecentServer> all = m_recent.list();
    for (const RecentServer& shared : std::as_const(m_shared)) {
        const auto own = std::find_if(all.begin(), all.end(), [&](const RecentServer& server) {
            return server.url.withoutPassword() == shared.url.withoutPassword();
        });
        if (own == all.end())
            all.append(shared);
        else if (own->group.isEmpty())
            own->group = shared.group;
    }
    m_list->setServers(all, m_filter->text());
}

void ConnectionDialog::starCurrent()
{
    std::optional<RecentServer> server = m_list->current();
    if (!server)
        return;
    const bool star = !server->starred;
    server->isShared = false;
    m_recent.addAll({*server}); // of the team's: an own entry, if there is none
    m_recent.setStarred(server->url, star);
    reselect(server->url);
}

// Wherever it is listed by now.
void ConnectionDialog::reselect(const ServerUrl& url)
{
    showServers();
    m_list->selectFirst();
    for (int row = 0; row < m_list->count(); ++row) {
        const std::optional<RecentServer> server = m_list->at(row);
        if (server && server->url == url)
            m_list->setCurrentRow(row);
    }
    onCurrentChanged();
}

void ConnectionDialog::chooseGroup()
{
    const std::optional<RecentServer> server = m_list->current();
    if (!server)
        return;
    QStringList groups;
    for (const RecentServer& known : m_recent.list())
        groups << known.group;
    groups << server->group << QString();
    groups.removeDuplicates();
    groups.sort();
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Group – Lockkeeper"));
    dialog->setLabelText(tr("Group; empty for none:"));
    dialog->setComboBoxItems(groups);
    dialog->setComboBoxEditable(true);
    dialog->setTextValue(server->group);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, url = server->url](const QString& group) {
                m_recent.setGroup(url, group);
                reselect(url);
            });
    dialog->open();
}

void ConnectionDialog::chooseImport()
{
    auto* dialog = new QFileDialog(this, tr("Import servers"), QString(),
                                   tr("Servers (*.json *.ano *.txt);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ConnectionDialog::importFrom);
    dialog->open();
}

void ConnectionDialog::importFrom(const QString& path)
{
    constexpr qint64 mostBytes = 5 * 1024 * 1024;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return m_outcome->setError(
            {ErrorCode::FileError, QStringLiteral("%1: %2").arg(path, file.errorString())});
    Result<ServerImport> import = importServers(file.read(mostBytes));
    if (!import)
        return m_outcome->setError(import.error());
    auto* dialog = new ImportDialog(std::move(*import), m_recent, m_secrets, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this] {
        showServers();
        m_list->selectFirst();
        onCurrentChanged();
    });
    dialog->open();
}

void ConnectionDialog::test()
{
    const std::optional<ConnectionChoice> choice = m_form->choice();
    if (!choice)
        return;
    endTest();
    m_test->setEnabled(false);
    m_outcome->setMessage(InlineMessage::Tone::Busy,
                          tr("Connecting to %1…").arg(choice->url.endpoint()));
    constexpr int stageMs = 5000; // until a stage is given up
    m_check = new ConnectionCheck(choice->url, stageMs, this);
    connect(m_check, &ConnectionCheck::stageDone, m_stages, &StageList::add);
    connect(m_check, &ConnectionCheck::finished, this, &ConnectionDialog::onTested);
    m_check->start();
}

void ConnectionDialog::onTested()
{
    m_test->setEnabled(true);
    const std::vector<CheckStage>& stages = m_check->stages();
    if (const std::optional<Error> error = m_check->error(); error && !stages.empty())
        showFailed(stages.back().id, *error);
    else if (error)
        showError(*error);
    else
        m_outcome->setMessage(m_check->hasWarnings() ? InlineMessage::Tone::Warning
                                                     : InlineMessage::Tone::Ok,
                              tr("Connected: %1.").arg(m_check->summary()));
    m_check->deleteLater(); // it is the one that is calling
    m_check = nullptr;
}

// Why stands with the stage.
void ConnectionDialog::showFailed(CheckStage::Id stage, const Error& error)
{
    showError(error);
    m_outcome->setMessage(InlineMessage::Tone::Problem,
                          tr("Not connected: the stage %1 failed.").arg(stageTitle(stage)));
}

void ConnectionDialog::endTest()
{
    m_stages->clear();
    m_test->setEnabled(true);
    if (!m_check)
        return;
    m_check->disconnect();
    m_check->deleteLater();
    m_check = nullptr;
}

void ConnectionDialog::showError(const Error& error)
{
    m_outcome->setError(error);
    if (isSentinelLogin(error.code))
        m_form->focusSentinelPassword();
    else if (isLogin(error.code))
        m_form->focusPassword();
}

void ConnectionDialog::onEdited()
{
    // A test's result belongs to the tested input.
    endTest();
    m_outcome->setMessage(InlineMessage::Tone::Hint,
                          tr("Lockkeeper only reads until you turn on write mode."));
}

void ConnectionDialog::chooseDemo()
{
    ConnectionChoice choice;
    choice.demo = true;
    choice.replaces = m_replace->isChecked();
    QDialog::accept();
    emit chosen(choice);
}

void ConnectionDialog::accept()
{
    whenPasswordKnown([this] {
        std::optional<ConnectionChoice> choice = m_form->choice();
        if (!choice)
            return;
        choice->replaces = m_replace->isChecked();
        QDialog::accept();
        emit chosen(*choice);
    });
}

void ConnectionDialog::done(int result)
{
    endTest();
    m_nextStep = nullptr;
    QDialog::done(result);
}

} // namespace lk
