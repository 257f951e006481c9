// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findingspage.h"

#include "backend/findings/findings.h"
#include "backend/session/session.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "widgets/board/boardtexts.h"
#include "widgets/board/exportbutton.h"
#include "widgets/board/filterbar.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/findings/findingdetail.h"
#include "widgets/findings/findingmodel.h"
#include "widgets/theme/boxlayout.h"

#include <QApplication>
#include <QCheckBox>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

constexpr std::array worstFirst{Finding::Severity::Error, Finding::Severity::Warning,
                                Finding::Severity::Info};
// Widths in characters. The message takes the remaining room, but at least a readable width.
constexpr int severityCharacters = 15;
constexpr int nameCharacters = 27;
constexpr int nameCharactersAtLeast = 18;
constexpr int codeCharacters = 25;
constexpr int messageCharacters = 44;

QString chipId(Finding::Severity severity)
{
    return QString::fromLatin1(severityId(severity));
}

QString count(qint64 n)
{
    return QLocale().toString(n);
}

} // namespace

FindingsPage::FindingsPage(QWidget* parent)
    : ListBoard({QStringLiteral("findings"), tr("Findings"), QStringLiteral("finding")}, parent)
{
    buildLater();
}

void FindingsPage::build()
{
    m_model = new FindingModel(this);
    m_filter = new FilterBar(tr("Filter findings"));
    m_detail = new FindingDetail;
    buildTable();
    buildBar();
    layOut({m_filter, nullptr, buildFoot(), m_detail, 720, 380});
    connect(m_filter, &FilterBar::changed, this, &FindingsPage::applyFilter);
    connect(m_filter, &FilterBar::left, m_table, qOverload<>(&QWidget::setFocus));
    connect(m_detail, &FindingDetail::fixWanted, this, &FindingsPage::fix);
    connect(m_detail, &FindingDetail::silenceWanted, this,
            [this] { silence(m_model->findingAt(m_model->rowOf(m_selected))); });
    connect(m_detail, &FindingDetail::momentWanted, this, [this] {
        if (const LiveFindingPtr live = m_model->findingAt(m_model->rowOf(m_selected)))
            emit wanted(MomentTarget{live->sinceMs});
    });
    connect(m_detail, &FindingDetail::objectWanted, this, [this] { goToObject(m_selected); });
    offerCommands();
    updateCounts();
    updateEmptyState();
}

BoardBadge FindingsPage::badge() const
{
    const LiveFindingsPtr findings = m_session ? m_session->findings().latest() : nullptr;
    return findingsBadge(findings ? findings->total() : -1,
                         findings ? findings->worst() : std::nullopt);
}

bool FindingsPage::shows(const BoardTarget& target) const
{
    return std::holds_alternative<FindingTarget>(target);
}

void FindingsPage::open(const BoardTarget& target)
{
    if (const auto* finding = std::get_if<FindingTarget>(&target))
        select(finding->id);
}

void FindingsPage::buildTable()
{
    makeTable(m_model, QStringLiteral("findingsTable"), tr("Findings"),
              {QStringLiteral("severity"), QStringLiteral("name"), QStringLiteral("message"),
               QStringLiteral("code")});
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSortIndicatorShown(true);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setSectionResizeMode(FindingModel::MessageColumn, QHeaderView::Stretch);
    connect(header, &QHeaderView::sortIndicatorChanged, this,
            [this](int column, Qt::SortOrder order) {
                m_model->setOrder(column, order == Qt::DescendingOrder);
                restoreSelection();
            });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &FindingsPage::onSelectionChanged);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const LiveFindingPtr live = m_model->findingAt(index.row()))
            goToObject(live->id);
    });
    connect(m_table, &QTableView::customContextMenuRequested, this, &FindingsPage::showMenu);
}

void FindingsPage::buildBar()
{
    m_filter->setTip(tr("Shows findings whose name, key, code or message contains this text"));
    m_export = new ExportButton;
    m_export->add(tr("Save the table as CSV…"), [this] { exportCsv(); });
    m_export->add(tr("Copy selected rows"), [this] { copySelection(); });
    m_filter->addTrailing(m_export);
}

QWidget* FindingsPage::buildFoot()
{
    m_note = new QLabel;
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setWordWrap(true);
    m_silenced = new QCheckBox;
    m_silenced->setToolTip(tr("Findings silenced in the configuration file are counted, not "
                              "reported"));
    auto* foot = new QWidget;
    rowIn(foot, {}, 16, {{m_note, 1}, m_silenced});
    connect(m_silenced, &QCheckBox::toggled, this, &FindingsPage::applyFilter);
    return foot;
}

// The code and the whole name are in the detail pane, too: with little room, the message gets it.
void FindingsPage::fitColumns()
{
    const int em = m_table->fontMetrics().averageCharWidth();
    const int room = m_table->viewport()->width() / std::max(em, 1) - severityCharacters;
    m_table->setColumnHidden(FindingModel::CodeColumn,
                             room < nameCharacters + messageCharacters + codeCharacters);
    m_arrangement->resize(FindingModel::SeverityColumn, em * severityCharacters);
    m_arrangement->resize(FindingModel::CodeColumn, em * codeCharacters);
    m_arrangement->resize(
        FindingModel::NameColumn,
        em * std::clamp(room - messageCharacters, nameCharactersAtLeast, nameCharacters));
}

void FindingsPage::sessionChanged()
{
    if (!isSameDeployment())
        m_carried.reset();
    else if (const LiveFindingPtr live = m_model->findingAt(m_model->rowOf(m_selected)))
        m_carried = live;
    m_selected = 0;
    m_model->keep(0);
    m_model->setFindings(nullptr);
    if (m_session) {
        connect(&m_session->findings(), &SessionFindings::changed, this, &FindingsPage::refresh);
        connect(&m_session->findings(), &SessionFindings::changed, this,
                &FindingsPage::badgeChanged);
        connect(m_session, &Session::statusChanged, this, &FindingsPage::updateEmptyState);
        connect(m_session, &Session::reported, this, [this] {
            if (isActive())
                showDetail(); // how long it has been seen, and whether it can be fixed now
            updateEmptyState();
        });
    }
    refresh();
    showDetail();
}

void FindingsPage::activeChanged()
{
    m_model->setHeld(isActive() && m_table->viewport()->underMouse());
    if (isActive() && m_session)
        m_session->polling().setAttention({}, noHandle);
    refresh();
}

void FindingsPage::refresh()
{
    if (!isActive())
        return;
    m_restoring = true;
    m_model->setFindings(m_session ? m_session->findings().latest() : nullptr);
    m_restoring = false;
    selectCarried();
    restoreSelection();
    showDetail();
    updateCounts();
    updateEmptyState();
}

// At another time the same hazard is another finding.
void FindingsPage::selectCarried()
{
    const LiveFindingsPtr all = m_session ? m_session->findings().latest() : nullptr;
    if (!m_carried || m_selected != 0 || !all)
        return;
    for (const LiveFindingPtr& live : all->rows) {
        if (live->handle != m_carried->handle || live->finding.code != m_carried->finding.code ||
            live->finding.name != m_carried->finding.name)
            continue;
        m_selected = live->id;
        m_model->keep(m_selected);
        m_carried.reset();
        return;
    }
}

void FindingsPage::applyFilter()
{
    FindingModel::Filter filter;
    filter.text = m_filter->text();
    filter.silenced = m_silenced->isChecked();
    for (const Finding::Severity severity : worstFirst) {
        if (m_filter->chosen() == chipId(severity))
            filter.severity = severity;
    }
    m_restoring = true;
    m_model->setFilter(filter);
    m_restoring = false;
    restoreSelection();
    updateCounts();
    updateEmptyState();
}

void FindingsPage::updateCounts()
{
    const LiveFindingsPtr all = m_session ? m_session->findings().latest() : nullptr;
    const std::array<qint64, 3> counts = m_model->counts();
    std::vector<FilterChip> chips;
    qint64 fitting = 0;
    for (const Finding::Severity severity : worstFirst) {
        chips.push_back({chipId(severity), severityWord(severity), counts[size_t(severity)]});
        fitting += chips.back().count;
    }
    m_filter->setChips(fitting, chips);
    const qint64 silenced = all ? all->silenced : 0;
    m_silenced->setText(tr("Show silenced (%1)").arg(count(silenced)));
    m_silenced->setVisible(silenced > 0 || m_silenced->isChecked());
    const qint64 listed = all ? qint64(all->rows.size()) : 0;
    QString note = all ? tr("Primitives checked: %1").arg(count(all->checked)) : QString();
    if (all && all->total() + all->silenced > listed)
        note += QStringLiteral(" \u00b7 ") +
                tr("only the %1 most severe are listed").arg(count(listed));
    m_note->setText(note);
}

void FindingsPage::updateEmptyState()
{
    const bool rows = m_model->rowCount() > 0;
    showTable(rows);
    m_export->setEnabled(rows);
    if (rows)
        return;
    const LiveFindingsPtr all = m_session ? m_session->findings().latest() : nullptr;
    using Phase = ConnectionStatus::Phase;
    const bool checked = m_session && m_session->status().phase == Phase::Ready &&
                         m_session->report().scan.whole() && all;
    if (checked && all->total() > 0) {
        m_empty->setText(QStringLiteral("search"), tr("Nothing matches"),
                         tr("No finding matches the filter. Clear it to see all."));
    } else if (checked && all->checked > 0) {
        m_empty->setText(QStringLiteral("ok"), tr("No findings"),
                         all->silenced > 0
                             ? tr("All findings are silenced in the configuration file.")
                             : tr("The rules found no hazard. They run again whenever something "
                                  "changes."));
    } else {
        const EmptyText text = emptyText(Kind::Limiter, m_session, false);
        m_empty->setText(text.icon, checked ? tr("Nothing detected") : text.headline, text.text,
                         text.example, text.percent);
    }
}

// The one that was selected stays so while others come and go.
void FindingsPage::restoreSelection()
{
    const int row = m_model->rowOf(m_selected);
    const QModelIndex current = m_table->currentIndex();
    if (row < 0 || (current.isValid() && current.row() == row))
        return;
    m_restoring = true;
    makeCurrent(*m_table, row);
    m_restoring = false;
}

void FindingsPage::onSelectionChanged()
{
    if (m_restoring)
        return;
    const LiveFindingPtr live = m_model->findingAt(m_table->currentIndex().row());
    if (!live || live->id == m_selected)
        return;
    m_selected = live->id;
    showDetail();
    // The last one may leave its row now.
    QMetaObject::invokeMethod(
        this, [this] { m_model->keep(m_selected); }, Qt::QueuedConnection);
}

void FindingsPage::showDetail()
{
    const int row = m_model->rowOf(m_selected);
    m_detail->show(m_model->findingAt(row), m_session, m_model->isGone(row));
}

void FindingsPage::select(quint64 id)
{
    if (m_session)
        refresh();
    if (m_model->rowOf(id) < 0)
        m_filter->clear(); // the filter must not hide the requested row
    m_selected = id;
    m_model->keep(id);
    m_restoring = true;
    // It alone, also where it was one of several.
    if (const int row = m_model->rowOf(id); row >= 0)
        selectOnly(*m_table, row);
    m_restoring = false;
    m_table->scrollTo(m_table->currentIndex());
    showDetail();
}

void FindingsPage::selectFirst()
{
    if (const LiveFindingPtr first = m_model->findingAt(0); first && m_selected == 0)
        select(first->id);
}

bool FindingsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_table->viewport()) {
        if (event->type() == QEvent::Enter)
            m_model->setHeld(true);
        else if (event->type() == QEvent::Leave && !QApplication::activePopupWidget())
            m_model->setHeld(false);
    }
    return ListBoard::eventFilter(watched, event);
}

void FindingsPage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_filter->isFiltering())
        m_filter->clear();
    else
        QWidget::keyPressEvent(event);
}

} // namespace lk
