// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobtable.h"

#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/theme/themecolors.h"

#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

constexpr int mostRowsSeen = 6;
constexpr int leastRowsSeen = 2;
constexpr int leastTextChars = 8; // of a text that takes what is left, before it scrolls sideways
constexpr int mostTextChars = 28; // of an ID, a name or a worker beside others
constexpr int fewTextChars = 14;  // where a pane would scroll sideways: the ends of a UUID suffice

// Columns that a narrow pane omits, the least important first. The window and the job's own dialog
// show them.
constexpr std::array spareColumns{JobModel::SizeColumn, JobModel::AttemptsColumn,
                                  JobModel::NumberColumn, JobModel::WorkerColumn};

// Texts are cut at the end: their beginning identifies them.
class TextDelegate final : public RowDelegate
{
public:
    using RowDelegate::RowDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override
    {
        RowDelegate::initStyleOption(option, index);
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight,
                                                      option->rect.width() - 2 * margin);
    }
};

bool isText(int column)
{
    return column == JobModel::IdColumn || column == JobModel::NameColumn ||
           column == JobModel::WorkerColumn;
}

} // namespace

JobTable::JobTable(QWidget* parent)
    : FlatTable(parent)
    , m_model(new JobModel(this))
{
    setAccessibleName(tr("Jobs"));
    setObjectName(QStringLiteral("jobTable"));
    setModel(m_model);
    for (const int column : {JobModel::PayloadColumn, JobModel::ErrorColumn})
        setItemDelegateForColumn(column, new TextDelegate(this));
    setSelectionMode(ExtendedSelection);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(ScrollPerPixel);
    m_arrangement = new TableArrangement(this,
                                         {u"number"_s, u"id"_s, u"name"_s, u"time"_s, u"worker"_s,
                                          u"attempts"_s, u"size"_s, u"payload"_s, u"error"_s},
                                         u"jobs"_s);
    connect(m_arrangement, &TableArrangement::released, this, &JobTable::fitColumns);
    showColumns();
    fitToRows();
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &JobTable::onSelectionChanged);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &JobTable::rowsSeenChanged);
}

void JobTable::beginList(const QByteArray& list, const JobModel::List& how)
{
    m_role = how.role;
    if (list == m_list)
        return;
    m_list = list;
    m_chosen.clear();
    m_restoring = true;
    clearSelection();
    setCurrentIndex({});
    m_restoring = false;
    m_rowsSeen = leastRowsSeen;
    m_spared = 0;
    scrollToTop();
}

void JobTable::setJobs(const QByteArray& list, const JobModel::List& how,
                       const std::vector<QueueJob>& jobs, const std::vector<qint64>& places)
{
    beginList(list, how);
    m_restoring = true;
    m_model->setJobs(how, jobs, places);
    m_restoring = false;
    // These are all jobs: chosen ones that are missing are gone.
    QHash<quint64, int> held;
    for (const QueueJob& job : jobs)
        ++held[job.fingerprint];
    m_chosen.removeIf([&](const auto& entry) { return !held.contains(entry.key()); });
    restoreSelection();
}

void JobTable::setPage(const QByteArray& list, const JobModel::List& how, qint64 total,
                       const JobPage& page)
{
    beginList(list, how);
    m_restoring = true;
    m_model->setPage(how, total, page);
    m_restoring = false;
    // Where all are known, too.
    if (m_model->readRows() == m_model->rowCount()) {
        QHash<quint64, int> held;
        for (const int row : m_model->rowsRead())
            ++held[m_model->at(row)->fingerprint];
        m_chosen.removeIf([&](const auto& entry) { return !held.contains(entry.key()); });
    }
    restoreSelection();
}

// Jobs leave at one end: a row is another job then, and must not be taken for the chosen one.
void JobTable::restoreSelection()
{
    showColumns();
    fitColumns();
    fitToRows();
    QHash<quint64, Chosen> left = m_chosen;
    std::vector<int> rows = m_model->rowsRead();
    std::sort(rows.begin(), rows.end());
    QItemSelection kept;
    bool same = true;
    for (const int row : rows) {
        const auto it = left.find(m_model->at(row)->fingerprint);
        const bool chosen = it != left.end() && it->count > 0;
        if (chosen)
            --it->count;
        same = same && chosen == selectionModel()->isRowSelected(row);
        if (chosen)
            kept.select(m_model->index(row, 0), m_model->index(row, 0));
    }
    const auto known = [&](const QModelIndex& index) { return m_model->at(index.row()); };
    const QModelIndexList now = selectionModel()->selectedRows();
    if (same && std::all_of(now.begin(), now.end(), known))
        return;
    m_restoring = true;
    selectionModel()->select(kept, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_restoring = false;
    emit chosenChanged();
}

QItemSelectionModel::SelectionFlags JobTable::selectionCommand(const QModelIndex& index,
                                                               const QEvent* event) const
{
    const QItemSelectionModel::SelectionFlags flags = FlatTable::selectionCommand(index, event);
    m_replaces = flags.testFlag(QItemSelectionModel::Clear);
    return flags;
}

void JobTable::onSelectionChanged()
{
    if (m_restoring)
        return;
    if (m_replaces)
        m_chosen.clear();
    // One of two identical jobs may be chosen: counts each.
    const std::vector<int> rows = m_model->rowsRead();
    for (const int row : rows)
        m_chosen.remove(m_model->at(row)->fingerprint);
    for (const int row : rows) {
        if (!selectionModel()->isRowSelected(row))
            continue;
        const QueueJob& job = *m_model->at(row);
        Chosen& chosen = m_chosen[job.fingerprint];
        ++chosen.count;
        chosen.key = job.key;
        chosen.id = job.facts.id;
    }
    emit chosenChanged();
}

JobChoice JobTable::chosen() const
{
    JobChoice choice;
    choice.role = m_role;
    QByteArrayList prints;
    QByteArrayList ids;
    for (auto it = m_chosen.cbegin(); it != m_chosen.cend(); ++it) {
        for (int i = 0; i < it->count; ++i)
            prints << QByteArray::number(it.key(), 16);
        choice.inSeveralKeys = choice.inSeveralKeys || (choice.count > 0 && it->key != choice.key);
        choice.key = it->key;
        if (!it->id.isEmpty())
            ids << it->id.toPercentEncoding();
        choice.count += it->count;
    }
    choice.fingerprints = prints.join(',');
    if (!ids.isEmpty())
        choice.given = {{"job", ids.join(',')}};
    return choice;
}

const QueueJob* JobTable::current() const
{
    return currentIndex().isValid() ? m_model->at(currentIndex().row()) : nullptr;
}

int JobTable::firstRowSeen() const
{
    return std::max(0, rowAt(0));
}

int JobTable::lastRowSeen() const
{
    const int last = rowAt(viewport()->height() - 1);
    return last >= 0 ? last : m_model->rowCount() - 1;
}

void JobTable::setFilling(bool filling)
{
    m_filling = filling;
    m_spared = 0;
    setMinimumHeight(0);
    setMaximumHeight(QWIDGETSIZE_MAX);
    showColumns();
    fitColumns();
    fitToRows();
}

// Fits the height to the rows, within bounds. It does not shrink while one state is shown: the
// widgets below would jump with every job that ends.
void JobTable::fitToRows()
{
    m_rowsSeen = std::clamp(m_model->rowCount(), std::max(m_rowsSeen, leastRowsSeen), mostRowsSeen);
    if (!m_filling)
        fitHeight(m_rowsSeen, m_wider);
}

// Hides columns that are empty for all jobs. In a pane, an error takes the room of columns that the
// window and the job's dialog show.
void JobTable::showColumns()
{
    const bool error = !m_filling && m_model->says(JobModel::ErrorColumn);
    const int spared = std::max(m_spared, error ? 2 : 0); // the first of them: size and attempts
    for (int column = 0; column < JobModel::ColumnTotal; ++column) {
        const auto end = spareColumns.begin() + spared;
        const bool hidden = !m_model->says(JobModel::JobColumn(column)) ||
                            std::find(spareColumns.begin(), end, column) != end;
        if (isColumnHidden(column) != hidden)
            setColumnHidden(column, hidden);
    }
}

// A pane does without some columns before it scrolls sideways. They do not come back while one list
// is shown: columns would come and go with each job.
void JobTable::fitColumns()
{
    m_wider = fitWidths(mostTextChars);
    while (m_wider && !m_filling && m_spared < int(spareColumns.size())) {
        ++m_spared;
        showColumns();
        m_wider = fitWidths(mostTextChars);
    }
    if (m_wider && !m_filling)
        m_wider = fitWidths(fewTextChars);
}

// Numbers, times and sizes are never cut. The last text takes the remaining room, but at least
// enough for its beginning. Returns true if the columns are wider than the table.
bool JobTable::fitWidths(int mostChars)
{
    const int last = !isColumnHidden(JobModel::ErrorColumn)     ? JobModel::ErrorColumn
                     : !isColumnHidden(JobModel::PayloadColumn) ? JobModel::PayloadColumn
                     : !isColumnHidden(JobModel::NameColumn)    ? JobModel::NameColumn
                                                                : JobModel::IdColumn;
    const int first = firstRowSeen();
    const int end = std::min(lastRowSeen(), first + 200);
    int used = 0;
    for (int column = 0; column < JobModel::ColumnTotal; ++column) {
        if (isColumnHidden(column) || column == last)
            continue;
        int width = contentWidth(column, first, end);
        if (isText(column))
            width = std::min(width, textWidth(mostChars));
        m_arrangement->resize(column, width);
        used += columnWidth(column);
    }
    const int rest = std::max(textWidth(leastTextChars), viewport()->width() - used);
    m_arrangement->resize(last, rest);
    return used + columnWidth(last) > viewport()->width();
}

void JobTable::resizeEvent(QResizeEvent* event)
{
    FlatTable::resizeEvent(event);
    emit rowsSeenChanged();
    if (event->size().width() == event->oldSize().width())
        return;
    m_spared = 0;
    showColumns();
    fitColumns();
    fitToRows();
}

void JobTable::setEmptyText(const QString& text)
{
    if (text == m_emptyText)
        return;
    m_emptyText = text;
    viewport()->update();
}

void JobTable::paintEvent(QPaintEvent* event)
{
    FlatTable::paintEvent(event);
    if (m_model->rowCount() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).second);
    painter.drawText(viewport()->rect().adjusted(RowDelegate::margin, 0, -RowDelegate::margin, 0),
                     Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
}

} // namespace lk
