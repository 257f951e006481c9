// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/searchdialog.h"

#include "backend/core/names/keyname.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"
#include "backend/text/kindtitles.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/board/boardtexts.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/input/searchfield.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/declare/configdialog.h"
#include "widgets/declare/configdraft.h"
#include "widgets/search/searchmodel.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>

#include <algorithm>

namespace lk {

namespace {

constexpr int againMs = 1000; // the interval of repeated searches
constexpr int pauseMs = 300;  // after the last key
constexpr int mostCommands = 6;
constexpr qsizetype longestId = 128;
constexpr int nameShare = 38; // of the width, in percent
constexpr int foundShare = 26;
constexpr int deploymentChars = 20;

} // namespace

SearchDialog::SearchDialog(Session* session, const QList<QAction*>& commands, QWidget* parent,
                           const QList<Session*>& others)
    : QDialog(parent)
    , m_session(session)
    , m_others(others.begin(), others.end())
    , m_commands(commands)
    , m_field(
          searchField(tr("Search"), tr("Name, key, owner, user, IP address, job, command\u2026")))
    , m_verdict(new InlineMessage)
    , m_declare(new QPushButton(tr("&Declare\u2026")))
    , m_model(new SearchModel(this))
    , m_table(new FlatTable)
    , m_empty(new EmptyState)
    , m_stack(new QStackedLayout)
    , m_counts(new QLabel)
    , m_open(new QPushButton(tr("&Open")))
    , m_act(new QPushButton(tr("&Actions")))
    , m_actMenu(new QMenu(m_act))
{
    setWindowTitle(tr("Search \u2013 Lockkeeper"));
    m_field->setObjectName(QStringLiteral("searchField"));
    m_field->installEventFilter(this);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->hide();
    m_declare->setToolTip(tr("Writes limit and window to the configuration file"));
    m_declare->setAutoDefault(false);
    m_declare->hide();
    m_table->setAccessibleName(tr("Search results"));
    m_table->setObjectName(QStringLiteral("searchResults"));
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->viewport()->installEventFilter(this);
    m_table->installEventFilter(this);
    m_counts->setFont(uiFont(TextSize::Caption));
    m_counts->setForegroundRole(QPalette::PlaceholderText);
    m_counts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_act->setMenu(m_actMenu);
    m_act->setAutoDefault(false);
    m_open->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    auto* buttons = rowOf(8, {{m_counts, 1}, m_act, m_open, close});
    auto* verdict = rowOf(8, {{m_verdict, 1, Qt::AlignVCenter}, {m_declare, 0, Qt::AlignVCenter}});
    columnIn(this, {16, 16, 16, 16}, 8, {m_field, verdict, {m_stack, 1}, buttons});
    resize(860, 520);
    m_again.setInterval(againMs);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_session)
            m_session->search().find(m_field->text());
        searchOthers(m_field->text());
    });
    m_typed.setSingleShot(true);
    m_typed.setInterval(pauseMs);
    connect(&m_typed, &QTimer::timeout, this, [this] {
        if (const QString id = m_field->text().trimmed(); m_session && id.size() <= longestId)
            m_session->search().findJob(id);
    });
    connect(m_field, &QLineEdit::textChanged, this, &SearchDialog::ask);
    connect(m_table, &QTableView::doubleClicked, this, &SearchDialog::openCurrent);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SearchDialog::updateButtons);
    connect(m_open, &QPushButton::clicked, this, &SearchDialog::openCurrent);
    connect(m_declare, &QPushButton::clicked, this, &SearchDialog::declare);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_actMenu, &QMenu::aboutToShow, this, &SearchDialog::fillActions);
    if (m_session) {
        connect(&m_session->search(), &SessionSearch::found, this, &SearchDialog::take);
        connect(&m_session->search(), &SessionSearch::jobsFound, this, &SearchDialog::takeJobs);
        connect(m_session, &QObject::destroyed, this, &QDialog::reject);
    }
    listenToOthers();
    ask();
    m_field->setFocus();
}

void SearchDialog::listenToOthers()
{
    if (m_session)
        m_model->setFrontName(m_session->name());
    m_table->setColumnHidden(SearchModel::DeploymentColumn, m_others.isEmpty());
    for (Session* other : std::as_const(m_others)) {
        connect(&other->search(), &SessionSearch::found, this,
                [this, other](const SearchResultsPtr& results) {
                    if (results->text != m_field->text())
                        return; // results of an earlier input
                    const int row = m_table->currentIndex().row();
                    m_model->setOthers(other, results);
                    selectIfNone(row);
                    m_stack->setCurrentWidget(
                        m_model->rowCount() > 0 ? static_cast<QWidget*>(m_table) : m_empty);
                    updateButtons();
                });
        connect(other, &QObject::destroyed, this, &QDialog::reject);
    }
}

void SearchDialog::searchOthers(const QString& text)
{
    for (Session* other : std::as_const(m_others)) {
        if (other)
            other->search().find(text);
    }
}

// Commands are found at once, primitives in the worker thread.
void SearchDialog::ask()
{
    const QString text = m_field->text().trimmed();
    QList<QAction*> fitting;
    for (QAction* action : m_commands) {
        const QString plain = action->text().remove(QLatin1Char('&'));
        if (!text.isEmpty() && action->isEnabled() && plain.contains(text, Qt::CaseInsensitive) &&
            fitting.size() < mostCommands)
            fitting << action;
    }
    m_model->setCommands(fitting);
    m_model->setJobs({}); // they had another id
    if (text.isEmpty() || !m_session) {
        m_again.stop();
        m_typed.stop();
        m_model->setResults({});
        for (Session* other : std::as_const(m_others))
            m_model->setOthers(other, {});
        m_verdict->hide();
        m_declare->hide();
        updateCounts(nullptr);
    } else {
        m_session->search().find(m_field->text());
        searchOthers(m_field->text());
        m_again.start();
        m_typed.start();
    }
    selectIfNone(0);
    updateButtons();
}

void SearchDialog::take(const SearchResultsPtr& results)
{
    if (results->text != m_field->text())
        return; // results of an earlier input
    const int row = m_table->currentIndex().row();
    m_model->setResults(results);
    selectIfNone(row);
    tellVerdict(*results);
    updateCounts(results.get());
    updateButtons();
}

void SearchDialog::takeJobs(const JobsByIdPtr& jobs)
{
    if (!m_session || jobs->id != bytesFromDisplay(m_field->text().trimmed()))
        return;
    std::vector<FoundJob> found;
    for (const JobsById::Job& job : jobs->jobs) {
        if (const StatePtr queue = m_session->states().at(job.queue))
            found.push_back({job.queue, queue, job.facts});
    }
    if (found.empty())
        return;
    m_model->setJobs(std::move(found));
    m_stack->setCurrentWidget(m_table);
    selectRow(0);
}

// Returns the first limiter that the user could declare. Null if there is none.
StatePtr SearchDialog::undeclaredIn(const SearchResults& results)
{
    for (const SearchHit& hit : results.hits) {
        if (hit.identity && hit.allowance &&
            hit.allowance->verdict == Allowance::Verdict::Unknown && declaringOf(*hit.state))
            return hit.state;
    }
    return nullptr;
}

void SearchDialog::declare()
{
    const auto draft = m_undeclared ? declaringOf(*m_undeclared) : std::nullopt;
    if (m_session && draft)
        ConfigDialog::open(m_session, *draft, this);
}

// Shows why a client is refused, if limiters know it by name. Unknown answers are shown as unknown.
void SearchDialog::tellVerdict(const SearchResults& results)
{
    m_verdict->setVisible(results.limiters > 0);
    m_undeclared = results.refusing == 0 ? undeclaredIn(results) : nullptr;
    m_declare->setVisible(m_undeclared != nullptr);
    if (results.limiters == 0)
        return;
    const QString who = results.text.trimmed();
    if (results.refusing == 0 && results.unknown > 0) {
        const QString unknown = QLocale().toString(results.unknown);
        const QString limiters = QLocale().toString(results.limiters);
        return m_verdict->setMessage(
            InlineMessage::Tone::Unknown,
            results.limitless > 0 ? tr("Cannot tell: the limit of %1 of %2 limiters is not known.")
                                        .arg(unknown, limiters)
                                  : tr("Cannot tell: the window of %1 of %2 limiters is not known.")
                                        .arg(unknown, limiters));
    }
    if (results.refusing == 0)
        return m_verdict->setMessage(
            InlineMessage::Tone::Ok,
            tr("%1 is not rejected: none of its limiters (%2) is at its limit.")
                .arg(who, QLocale().toString(results.limiters)));
    // All have to let it pass: the last to free decides.
    std::optional<qint64> freeMs;
    bool known = true;
    for (const SearchHit& hit : results.hits) {
        if (!hit.identity || !hit.allowance || !hit.allowance->refuses())
            continue;
        known = known && hit.allowance->freeInMs.value_or(0) > 0;
        freeMs = std::max(freeMs.value_or(0), hit.allowance->freeInMs.value_or(0));
    }
    const QString refusing = QLocale().toString(results.refusing);
    const QString all = QLocale().toString(results.limiters);
    known = known && results.unknown == 0;
    QString text = known && freeMs
                       ? tr("%1 is rejected by %2 of %3 limiters; retry after %4.")
                             .arg(who, refusing, all, formatDuration(*freeMs))
                       : tr("%1 is rejected by %2 of %3 limiters.").arg(who, refusing, all);
    if (results.unknown > 0)
        text += QLatin1Char(' ') + tr("Cannot tell for %1: the limit or window is not known.")
                                       .arg(QLocale().toString(results.unknown));
    m_verdict->setMessage(InlineMessage::Tone::Warning, text);
}

void SearchDialog::updateCounts(const SearchResults* results)
{
    const bool rows = m_model->rowCount() > 0;
    m_stack->setCurrentWidget(rows ? static_cast<QWidget*>(m_table) : m_empty);
    if (!results) {
        m_counts->clear();
        m_empty->setText(QStringLiteral("search"), tr("Search everything"),
                         tr("Type a user ID, an IP address, a key, a lock's owner, a job or a "
                            "command. For a client, every limiter that knows it is listed, and "
                            "when its next request passes."));
        return;
    }
    if (const auto soFar = rows || !m_session ? std::nullopt : scanSoFar(*m_session))
        m_empty->setText(QStringLiteral("search"), tr("Nothing found so far"),
                         nothingSoFarText(*soFar), {}, soFar->percent);
    else if (!rows)
        m_empty->setText(QStringLiteral("search"), tr("Nothing found"),
                         tr("Searched %1 primitives: names, keys, owners, clients, jobs in "
                            "progress. Jobs in other states are searched on their queue.")
                             .arg(QLocale().toString(results->searched)));
    qint64 all = 0;
    for (const qint64 kind : results->totals)
        all += kind;
    const qint64 shown = qint64(results->hits.size());
    m_counts->setText(
        shown < all ? tr("%1 of %2 found shown; type more to narrow")
                          .arg(QLocale().toString(shown), QLocale().toString(all))
                    : tr("%1 found, %2 searched")
                          .arg(QLocale().toString(all), QLocale().toString(results->searched)));
}

void SearchDialog::updateButtons()
{
    const int row = m_table->currentIndex().row();
    m_open->setEnabled(m_model->hit(row) || m_model->job(row) || m_model->command(row));
    m_open->setText(m_model->command(row) ? tr("&Run") : tr("&Open"));
    m_act->setEnabled(!selectedStates().empty());
}

void SearchDialog::selectRow(int row)
{
    m_table->setCurrentIndex(m_model->index(row, 0));
    m_table->selectRow(row);
}

// Another result stands where the one was that is gone.
void SearchDialog::selectIfNone(int row)
{
    if (m_model->rowCount() > 0 && !m_table->currentIndex().isValid())
        selectRow(std::clamp(row, 0, m_model->rowCount() - 1));
}

std::vector<StatePtr> SearchDialog::selectedStates() const
{
    std::vector<StatePtr> states;
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    for (const QModelIndex& index : rows) {
        const SearchHit* hit = m_model->hit(index.row());
        if (hit && !m_model->otherOf(index.row())) // others are acted on once they are in front
            states.push_back(hit->state);
    }
    return states;
}

void SearchDialog::fillActions()
{
    m_actMenu->clear();
    const std::vector<StatePtr> states = selectedStates();
    const std::vector<ActionOffer> offers = m_session && !states.empty()
                                                ? offersFor(states, m_session->acting().limits())
                                                : std::vector<ActionOffer>();
    addOffersTo(m_actMenu, offers, this, [this, states](const Action* action) {
        if (m_session)
            ActionDialog::open(m_session, {action, states, {}, {}, {}}, this);
    });
    if (offers.empty())
        m_actMenu->addAction(tr("No action for all of these"))->setEnabled(false);
}

void SearchDialog::openCurrent()
{
    const int row = m_table->currentIndex().row();
    if (QAction* action = m_model->command(row)) {
        accept();
        action->trigger();
    } else if (const FoundJob* found = m_model->job(row)) {
        JobTarget target{found->queue, {}};
        target.job.fingerprint = fingerprintOf(found->facts.id);
        target.job.facts = found->facts;
        accept();
        emit wanted(target);
    } else if (const SearchHit* hit = m_model->hit(row)) {
        const PrimitiveTarget target{hit->state->kind(), hit->handle};
        Session* other = m_model->otherOf(row);
        accept();
        if (other)
            emit wantedIn(other, target);
        else
            emit wanted(target);
    }
}

void SearchDialog::fitColumns()
{
    const int deployment =
        m_others.isEmpty() ? 0 : m_table->fontMetrics().averageCharWidth() * deploymentChars;
    m_table->setColumnWidth(SearchModel::DeploymentColumn, deployment);
    const int width = m_table->viewport()->width() - deployment;
    const int kind = m_table->fontMetrics().averageCharWidth() * 14 + 2 * RowDelegate::margin;
    const int name = (width - kind) * nameShare / 100;
    const int found = (width - kind) * foundShare / 100;
    m_table->setColumnWidth(SearchModel::KindColumn, kind);
    m_table->setColumnWidth(SearchModel::NameColumn, name);
    m_table->setColumnWidth(SearchModel::FoundColumn, found);
    m_table->setColumnWidth(SearchModel::StateColumn, width - kind - name - found);
}

// The field keeps the focus; up and down move through the results.
bool SearchDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_table->viewport())
        fitColumns();
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool plain = key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::KeypadModifier;
    if (plain && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
        openCurrent();
        return true;
    }
    if (watched == m_field && plain && m_model->rowCount() > 0) {
        const int row = m_table->currentIndex().row();
        const int page = std::max(1, m_table->viewport()->height() /
                                         m_table->verticalHeader()->defaultSectionSize());
        const int step = key->key() == Qt::Key_Down       ? 1
                         : key->key() == Qt::Key_Up       ? -1
                         : key->key() == Qt::Key_PageDown ? page
                         : key->key() == Qt::Key_PageUp   ? -page
                                                          : 0;
        if (step != 0) {
            selectRow(std::clamp(row + step, 0, m_model->rowCount() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace lk
