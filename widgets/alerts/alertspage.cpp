// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/alerts/alertspage.h"

#include "backend/core/names/keyname.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/errortext.h"
#include "widgets/alerts/alertdetail.h"
#include "widgets/alerts/alertmodel.h"
#include "widgets/board/boardtexts.h"
#include "widgets/board/filterbar.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"

#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QToolButton>

namespace lk {

namespace {

constexpr std::array standings{AlertStanding::Open, AlertStanding::Acknowledged,
                               AlertStanding::Silenced, AlertStanding::Past};
// Widths in characters. The message takes the remaining room.
constexpr int severityCharacters = 14;
constexpr int nameCharacters = 26;
constexpr int standingCharacters = 22;
constexpr int sinceCharacters = 13;
constexpr int messageCharacters = 36;

} // namespace

AlertsPage::AlertsPage(QWidget* parent)
    : ListBoard({QStringLiteral("alerts"), tr("Alerts"), QStringLiteral("alert")}, parent)
{
    buildLater();
}

void AlertsPage::build()
{
    m_model = new AlertModel(this);
    m_filter = new FilterBar(tr("Filter alerts"));
    m_detail = new AlertDetail;
    m_note = new QLabel;
    buildTable();
    buildBar();
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setObjectName(QStringLiteral("alertsNote"));
    layOut({m_filter, nullptr, m_note, m_detail, 720, 380});
    connect(m_filter, &FilterBar::changed, this, &AlertsPage::applyFilter);
    connect(m_filter, &FilterBar::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_detail, &AlertDetail::acknowledgeWanted, this, &AlertsPage::acknowledge);
    connect(m_detail, &AlertDetail::silenceWanted, this, &AlertsPage::silence);
    connect(m_detail, &AlertDetail::silenceEndWanted, this, &AlertsPage::endSilence);
    connect(m_detail, &AlertDetail::objectWanted, this, &AlertsPage::goToObject);
    connect(m_detail, &AlertDetail::momentWanted, this, &AlertsPage::goToMoment);
    offer(BoardCommand::FocusFilter, [this] { m_filter->focusField(); });
    offer(BoardCommand::CopyRows, [this] { copySelection(); });
    offer(BoardCommand::SaveTable, [this] { exportCsv(); });
    followPalette(this, [this] {
        m_rules->setIcon(icon(QStringLiteral("settings"), palette()));
        m_more->setIcon(icon(QStringLiteral("more"), palette()));
    });
    updateCounts();
    updateEmptyState();
}

// The deployment's alerts, whichever moment of it is shown.
SessionAlerts* AlertsPage::alerts() const
{
    return m_session ? m_session->live()->alerts() : nullptr;
}

// As of the moment that is shown, once that is known.
AlertsPtr AlertsPage::shownAlerts() const
{
    const SessionAlerts* now = alerts();
    if (!now || !m_session->isPast() || m_session->serverNowMs() <= 0)
        return now ? now->alerts() : nullptr;
    return std::make_shared<Alerts>(
        alertsAsOf(*now->alerts(), m_session->serverNowMs(), shownLocalMs()));
}

// That moment by this machine's clock.
qint64 AlertsPage::shownLocalMs() const
{
    const Session& live = *m_session->live();
    const qint64 nowMs = live.setup().clock->nowMs();
    return m_session->isPast() && m_session->serverNowMs() > 0
               ? m_session->serverNowMs() - (live.serverNowMs() - nowMs)
               : nowMs;
}

BoardBadge AlertsPage::badge() const
{
    const AlertsPtr shown = shownAlerts();
    if (!shown)
        return {};
    const Alerts::Count count = shown->unattended(shownLocalMs());
    return alertsBadge(count.count, count.worst);
}

bool AlertsPage::shows(const BoardTarget& target) const
{
    return std::holds_alternative<AlertTarget>(target);
}

void AlertsPage::open(const BoardTarget& target)
{
    const auto* alert = std::get_if<AlertTarget>(&target);
    if (!alert)
        return;
    refresh();
    if (m_model->rowOf(alert->id) < 0)
        m_filter->clear(); // the filter must not hide the requested row
    m_selected = alert->id;
    restoreSelection();
    selectFirst();
    showDetail();
}

void AlertsPage::selectFirst()
{
    if (m_model->rowOf(m_selected) < 0 && m_model->rowCount() > 0)
        selectOnly(*m_table, 0);
}

void AlertsPage::buildTable()
{
    makeTable(m_model, QStringLiteral("alertsTable"), tr("Alerts"),
              {QStringLiteral("severity"), QStringLiteral("name"), QStringLiteral("message"),
               QStringLiteral("state"), QStringLiteral("fired")});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_table->horizontalHeader()->setSectionResizeMode(AlertModel::TextColumn, QHeaderView::Stretch);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_restoring)
            return;
        if (const AlertPtr alert = current())
            m_selected = alert->id;
        showDetail();
    });
    connect(m_table, &QTableView::activated, this, &AlertsPage::activate);
    connect(m_table, &QTableView::customContextMenuRequested, this, &AlertsPage::showMenu);
}

void AlertsPage::buildBar()
{
    m_filter->setTip(tr("Shows alerts whose name, rule or message contains this text"));
    m_rules = new QToolButton;
    m_rules->setText(tr("Rules…"));
    m_rules->setAccessibleName(tr("Rules"));
    m_rules->setToolTip(tr("When an alert fires and who is notified: written to the configuration "
                           "file"));
    m_rules->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_rules->setAutoRaise(true);
    connect(m_rules, &QToolButton::clicked, this, &AlertsPage::editRules);
    m_more = new QToolButton;
    m_more->setAccessibleName(tr("More"));
    m_more->setToolTip(tr("More"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setAutoRaise(true);
    auto* menu = new QMenu(m_more);
    m_tests = menu->addMenu(tr("Send a test notification"));
    connect(m_tests, &QMenu::aboutToShow, this, &AlertsPage::fillTestMenu);
    menu->addAction(tr("Quiet hours…"), this, &AlertsPage::editQuietHours);
    menu->addAction(tr("Silences…"), this, &AlertsPage::listSilences);
    menu->addSeparator();
    menu->addAction(tr("Save the table as CSV…"), this, &AlertsPage::exportCsv);
    menu->addAction(tr("Copy selected rows"), this, &AlertsPage::copySelection);
    m_more->setMenu(menu);
    auto* trailing = new QWidget;
    rowIn(trailing, {}, 4, {m_rules, m_more});
    m_filter->addTrailing(trailing);
}

// With little room the state gives way, because the pane and the chips show it, too.
void AlertsPage::fitColumns()
{
    const int em = m_table->fontMetrics().averageCharWidth();
    const int room = m_table->viewport()->width() / std::max(em, 1);
    m_table->setColumnHidden(AlertModel::StandingColumn,
                             room < severityCharacters + nameCharacters + standingCharacters +
                                        sinceCharacters + messageCharacters);
    m_arrangement->resize(AlertModel::SeverityColumn, em * severityCharacters);
    m_arrangement->resize(AlertModel::NameColumn, em * nameCharacters);
    m_arrangement->resize(AlertModel::StandingColumn, em * standingCharacters);
    m_arrangement->resize(AlertModel::SinceColumn, em * sinceCharacters);
}

void AlertsPage::sessionChanged()
{
    // Its past has the same alerts: connections and the selection stay.
    if (!isSameDeployment()) {
        m_selected.clear();
        m_tested.clear();
        m_model->setAlerts(nullptr, 0);
    }
    if (m_heard)
        m_heard->disconnect(this);
    m_heard = alerts();
    if (m_heard) {
        connect(m_heard, &SessionAlerts::changed, this, &AlertsPage::refresh);
        connect(m_heard, &SessionAlerts::changed, this, &AlertsPage::badgeChanged);
        connect(m_heard, &SessionAlerts::tested, this, &AlertsPage::onTested);
    }
    if (m_session && m_session->isPast()) {
        connect(m_session, &Session::reported, this, &AlertsPage::refresh);
        connect(m_session, &Session::reported, this, &AlertsPage::badgeChanged);
    }
    if (m_deployment)
        m_deployment->disconnectAll(this);
    m_deployment = m_session ? m_session->live() : nullptr;
    if (m_deployment)
        connect(m_deployment, &Session::statusChanged, this, &AlertsPage::updateEmptyState);
    refresh();
    updateEmptyState(); // also behind the others: it is not refreshed there
    showDetail();
    emit badgeChanged();
}

void AlertsPage::activeChanged()
{
    if (isActive() && m_session)
        m_session->polling().setAttention({}, noHandle);
    refresh();
}

void AlertsPage::refresh()
{
    if (!isActive())
        return;
    m_restoring = true;
    const AlertsPtr shown = shownAlerts();
    m_model->setAlerts(shown, shown ? shownLocalMs() : 0);
    m_restoring = false;
    restoreSelection();
    showDetail();
    updateCounts();
    updateEmptyState();
    updateNote();
}

void AlertsPage::applyFilter()
{
    AlertModel::Filter filter;
    filter.text = m_filter->text();
    for (const AlertStanding standing : standings) {
        if (m_filter->chosen() == standingId(standing))
            filter.standing = standing;
    }
    m_restoring = true;
    m_model->setFilter(filter);
    m_restoring = false;
    restoreSelection();
    showDetail();
    updateCounts();
    updateEmptyState();
}

void AlertsPage::updateCounts()
{
    const std::array<qint64, 4> counts = m_model->counts();
    std::vector<FilterChip> chips;
    qint64 all = 0;
    for (const AlertStanding standing : standings) {
        chips.push_back({standingId(standing), standingWord(standing), counts[size_t(standing)]});
        all += chips.back().count;
    }
    m_filter->setChips(all, chips);
}

void AlertsPage::updateEmptyState()
{
    const bool rows = m_model->rowCount() > 0;
    showTable(rows);
    m_rules->setEnabled(alerts() && !m_session->configFile().isEmpty());
    if (rows)
        return;
    const Session* live = m_session ? m_session->live() : nullptr;
    if (!live || live->status().phase != ConnectionStatus::Phase::Ready) {
        const EmptyText text = emptyText(Kind::Limiter, live, false);
        m_empty->setText(text.icon, text.headline, text.text, text.example, text.percent);
    } else if (!alerts()) {
        m_empty->setText(QStringLiteral("alert"), tr("No alerts are raised here"),
                         tr("This window only shows the server."));
    } else if (m_filter->isFiltering()) {
        m_empty->setText(QStringLiteral("search"), tr("Nothing matches"),
                         tr("No alert matches the filter. Clear it to see all."));
    } else if (const auto soFar = scanSoFar(*live)) {
        m_empty->setText(QStringLiteral("search"), tr("No alerts so far"), nothingSoFarText(*soFar),
                         {}, soFar->percent);
    } else {
        m_empty->setText(
            QStringLiteral("ok"), tr("No alerts"),
            tr("An alert fires when the condition of a rule holds for long enough, "
               "and is resolved when it no longer does. Rules define what is monitored "
               "and who is notified."),
            QStringLiteral("[[alert]]\nwhen = \"queue.ready > 1000\"\nfor = \"2m\""));
    }
}

// Notes on how alerts are delivered.
void AlertsPage::updateNote()
{
    QStringList notes;
    if (const SessionAlerts* now = m_session && m_session->isPast() ? nullptr : alerts()) {
        const Alerts& all = *now->alerts();
        if (all.problem)
            notes << tr("Alerts cannot be stored: %1").arg(errorText(*all.problem));
        if (!all.raisedHere)
            notes << tr(
                "Another program on this machine raises these alerts and sends the notifications");
        if (all.notKept > 0)
            notes << tr("Too many alerts: %1 more are not listed").arg(all.notKept);
        for (const TargetStatus& target : all.targets) {
            if (!target.problem.isEmpty())
                notes << tr("%1: %2 notifications not delivered: %3")
                             .arg(displayName(target.name), QLocale().toString(target.queued),
                                  target.problem);
        }
    }
    if (!m_tested.isEmpty())
        notes << m_tested;
    m_note->setText(notes.join(QStringLiteral(" \u00b7 ")));
    m_note->setVisible(!notes.isEmpty());
}

void AlertsPage::restoreSelection()
{
    const int row = m_model->rowOf(m_selected);
    const QModelIndex index = m_table->currentIndex();
    if (row < 0 ||
        (index.isValid() && index.row() == row && m_table->selectionModel()->isRowSelected(row)))
        return;
    m_restoring = true;
    makeCurrent(*m_table, row);
    m_restoring = false;
}

} // namespace lk
