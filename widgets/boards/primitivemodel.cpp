// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/primitivemodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/csv.h"
#include "backend/text/errortext.h"
#include "backend/text/time/duration.h"
#include "widgets/board/boardtexts.h"
#include "widgets/charts/chartformat.h"
#include "widgets/theme/plaintip.h"

#include <algorithm>
#include <bitset>
#include <set>
#include <utility>

namespace lk {

namespace {

bool isRightAligned(ColumnStyle style)
{
    return style == ColumnStyle::Count || style == ColumnStyle::Figure ||
           style == ColumnStyle::Duration;
}

// The kind's columns, then those that only the rows' layouts have.
std::vector<Column> exportedColumns(Kind kind, const std::vector<KeptState>& states)
{
    const auto common = columns(kind);
    std::vector<Column> all(common.begin(), common.end());
    std::set<QByteArray> layouts;
    for (const KeptState& state : states) {
        if (!layouts.insert(state.primitive()->id.layout).second)
            continue;
        for (const Column& own : ownColumns(*state.primitive())) {
            if (std::none_of(all.begin(), all.end(),
                             [&](const Column& c) { return qstrcmp(c.id, own.id) == 0; }))
                all.push_back(own);
        }
    }
    return all;
}

BoardRows noRows()
{
    BoardRows none;
    none.rows = none.all = std::make_shared<const std::vector<Handle>>();
    none.groups = std::make_shared<const std::vector<BoardGroup>>();
    return none;
}

// Returns the cell as its layout defines it. Empty if the layout has no such column.
QString cellOf(const Column& column, const State& state)
{
    for (const Column& own : columnsOf(*state.primitive)) {
        if (qstrcmp(own.id, column.id) == 0)
            return own.text(state);
    }
    return {};
}

} // namespace

PrimitiveModel::PrimitiveModel(Kind kind, QObject* parent)
    : QAbstractTableModel(parent)
    , m_kind(kind)
    , m_rows(noRows().rows)
    , m_all(m_rows)
    , m_groups(noRows().groups)
{}

void PrimitiveModel::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    setRows(noRows());
    m_session = session;
    if (m_session) {
        connect(&m_session->states(), &SessionStates::changed, this, &PrimitiveModel::onChanged);
        connect(&m_session->findings(), &SessionFindings::changed, this,
                &PrimitiveModel::onFindings);
        connect(&m_session->acting(), &SessionActing::codesChanged, this, &PrimitiveModel::onCodes);
    }
}

int PrimitiveModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

int PrimitiveModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns(m_kind).size());
}

Handle PrimitiveModel::handleAt(int row) const
{
    return row >= 0 && row < int(m_rows->size()) ? (*m_rows)[size_t(row)] : noHandle;
}

const BoardGroup* PrimitiveModel::groupAt(int row) const
{
    const int header = headerRowOf(row);
    if (header != row || header < 0)
        return nullptr;
    const auto it = std::lower_bound(m_groups->begin(), m_groups->end(), row,
                                     [](const BoardGroup& group, int r) { return group.row < r; });
    return &*it;
}

int PrimitiveModel::headerRowOf(int row) const
{
    const auto after =
        std::upper_bound(m_groups->begin(), m_groups->end(), row,
                         [](int r, const BoardGroup& group) { return r < group.row; });
    return after == m_groups->begin() || row >= int(m_rows->size()) ? -1 : std::prev(after)->row;
}

StatePtr PrimitiveModel::stateAt(int row) const
{
    return m_session ? m_session->states().at(handleAt(row)) : nullptr;
}

int PrimitiveModel::rowOf(Handle handle) const
{
    const auto it = std::find(m_rows->begin(), m_rows->end(), handle);
    return it == m_rows->end() ? -1 : int(it - m_rows->begin());
}

QVariant PrimitiveModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Column& column = columns(m_kind)[size_t(index.column())];
    if (const BoardGroup* group = groupAt(index.row()))
        return groupData(*group, column, role);
    switch (role) {
    case HandleRole:
        return QVariant::fromValue(handleAt(index.row()));
    case StyleRole:
        return int(column.style);
    case PinnedRole:
        return m_session && m_session->polling().isPinned(handleAt(index.row()));
    case FindingRole:
        if (const LiveFindingsPtr findings = m_session ? m_session->findings().latest() : nullptr) {
            const auto worst = findings->worstOf(handleAt(index.row()));
            return worst ? int(*worst) + 1 : 0;
        }
        return 0;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(isRightAligned(column.style) ? Qt::AlignRight : Qt::AlignLeft) |
            Qt::AlignVCenter);
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole:
        break;
    default:
        return {};
    }
    const StatePtr state = stateAt(index.row());
    if (!state)
        return {};
    if (role == Qt::ToolTipRole)
        return toolTip(handleAt(index.row()), *state, column);
    const QString text = column.style == ColumnStyle::Name
                             ? nameText(handleAt(index.row()), *state->primitive)
                             : column.text(*state);
    if (role == Qt::AccessibleTextRole && column.style == ColumnStyle::Name &&
        index.data(FindingRole).toInt() > int(Finding::Severity::Warning)) {
        const auto findings = m_session->findings().of(handleAt(index.row()));
        if (!findings.empty())
            return QStringLiteral("%1: %2").arg(text, findings.front()->finding.message);
    }
    return column.style == ColumnStyle::Layout ? layoutTitle(state->primitive->id.layout) : text;
}

// The prefix is shown where another primitive has the same label.
QString PrimitiveModel::nameText(Handle handle, const Primitive& primitive) const
{
    return shownName(primitive, m_sharedLabels, m_session->acting().codesOf(handle));
}

QString PrimitiveModel::toolTip(Handle handle, const State& state, const Column& column) const
{
    // A duration is as of the last reading: the moment says it for good.
    if (column.style == ColumnStyle::Duration) {
        const auto moment = column.moment ? column.moment(state) : std::nullopt;
        return plainTip(tr("%1: %2").arg(title(column), column.text(state)) +
                        (moment ? QLatin1Char('\n') + momentText(*moment) : QString()));
    }
    const Codes codes = m_session->acting().codesOf(handle);
    QStringList lines{shownName(*state.primitive, 200, codes)};
    for (const LiveFindingPtr& live : m_session->findings().of(handle))
        lines << tr("%1: %2").arg(severityWord(live->finding.severity), live->finding.message);
    if (state.problem)
        lines << errorText(*state.problem);
    if (const QString age = readAgoText(state, *m_session); !age.isEmpty())
        lines << age;
    size_t shown = 0;
    for (const KeyRole& k : state.primitive->keys) {
        if (++shown > 6) {
            lines << tr("… and %Ln more keys", nullptr, int(state.primitive->keys.size() - 6));
            break;
        }
        lines << QStringLiteral("%1: %2").arg(
            displayName(k.role), shownKey(nameKind(*state.primitive), k.key, 120, codes));
    }
    return plainTip(lines.join(QLatin1Char('\n')));
}

QVariant PrimitiveModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column& column = columns(m_kind)[size_t(section)];
    if (role == Qt::DisplayRole)
        return title(column);
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment(isRightAligned(column.style) ? Qt::AlignRight : Qt::AlignLeft) |
            Qt::AlignVCenter);
    return {};
}

// The name and the state are those of the whole group; the other columns are empty.
QVariant PrimitiveModel::groupData(const BoardGroup& group, const Column& column, int role) const
{
    switch (role) {
    case HandleRole:
        return QVariant::fromValue(noHandle);
    case StyleRole:
        return int(column.style);
    case Qt::DisplayRole:
        return column.style == ColumnStyle::Name    ? group.title
               : column.style == ColumnStyle::State ? group.worstWord
                                                    : QString();
    case Qt::AccessibleTextRole:
        return column.style == ColumnStyle::Name
                   ? tr("Group %1, %n rows, most severe: %2, %3", nullptr, int(group.count))
                         .arg(group.title, group.worstWord,
                              group.collapsed ? tr("collapsed") : tr("expanded"))
                   : groupData(group, column, Qt::DisplayRole);
    case Qt::ToolTipRole:
        return plainTip(tr("%1: %n rows, most severe: %2", nullptr, int(group.count))
                            .arg(group.title, group.worstWord));
    default:
        return {};
    }
}

void PrimitiveModel::setRows(const BoardRows& rows)
{
    m_all = rows.all;
    const bool sameNames = std::exchange(m_sharedLabels, rows.sharedLabels) == rows.sharedLabels;
    if (*rows.rows != *m_rows) {
        place(rows.rows, rows);
        return;
    }
    m_rows = rows.rows;
    if (sameNames && *rows.groups == *m_groups)
        return;
    m_groups = rows.groups; // the same rows, but with other texts
    const int last = std::min(m_lastVisible, m_count - 1);
    if (last >= m_firstVisible)
        emit dataChanged(index(m_firstVisible, 0), index(last, columnCount() - 1));
}

void PrimitiveModel::place(const Handles& rows, const BoardRows& all)
{
    // The order changes while there is room enough for both the old and the new rows, so that every
    // row that stays is found again: room is made before, what is left over taken off after. A row
    // that has no handle meanwhile is an empty one.
    const int before = m_count;
    const int after = int(rows->size());
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_count = after;
        endInsertRows();
    }
    reorder(rows, all);
    if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_count = after;
        endRemoveRows();
    }
}

// The number of rows is the same. Selected and current rows move along; rows that are gone lose
// their indexes.
void PrimitiveModel::reorder(Handles rows, const BoardRows& all)
{
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    const QModelIndexList held = persistentIndexList();
    QHash<Handle, int> places;
    std::bitset<1024> some; // a bit per held handle: excludes most rows fast
    for (const QModelIndex& index : held)
        places.insert(handleAt(index.row()), -1);
    places.remove(noHandle);
    for (auto it = places.cbegin(); it != places.cend(); ++it)
        some.set(it.key().index % some.size());
    for (size_t row = 0; row < rows->size() && !places.isEmpty(); ++row) {
        const Handle handle = (*rows)[row];
        if (!some.test(handle.index % some.size()))
            continue;
        if (const auto it = places.find(handle); it != places.end())
            *it = int(row);
    }
    QModelIndexList moved;
    for (const QModelIndex& index : held) {
        const int row = places.value(handleAt(index.row()), -1);
        moved.append(row < 0 ? QModelIndex() : createIndex(row, index.column()));
    }
    changePersistentIndexList(held, moved);
    m_rows = std::move(rows);
    m_groups = all.groups;
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

void PrimitiveModel::setVisibleRows(int first, int last)
{
    m_firstVisible = std::max(0, first);
    m_lastVisible = last;
}

std::vector<Handle> PrimitiveModel::visibleHandles() const
{
    std::vector<Handle> handles;
    for (int row = m_firstVisible; row <= std::min(m_lastVisible, m_count - 1); ++row) {
        if (!groupAt(row))
            handles.push_back(handleAt(row));
    }
    return handles;
}

void PrimitiveModel::onChanged(const DeltaPtr& delta)
{
    const int last = std::min(m_lastVisible, m_count - 1);
    if (last < m_firstVisible)
        return;
    QSet<Handle> visible;
    for (int row = m_firstVisible; row <= last; ++row)
        visible.insert(handleAt(row));
    const bool any =
        std::any_of(delta->changes.begin(), delta->changes.end(),
                    [&](const StateChange& change) { return visible.contains(change.handle); });
    if (any)
        emit dataChanged(index(m_firstVisible, 0), index(last, columnCount() - 1));
}

void PrimitiveModel::onFindings()
{
    const int last = std::min(m_lastVisible, m_count - 1);
    if (last >= m_firstVisible)
        emit dataChanged(index(m_firstVisible, 0), index(last, 0), {FindingRole});
}

void PrimitiveModel::onCodes()
{
    const int last = std::min(m_lastVisible, m_count - 1);
    if (last >= m_firstVisible)
        emit dataChanged(index(m_firstVisible, 0), index(last, 0), {Qt::DisplayRole});
}

RowsText PrimitiveModel::csv(const std::vector<int>& rows) const
{
    std::vector<KeptState> states; // as they are kept: they are put into words in another thread
    const auto add = [&](Handle handle) {
        if (KeptState state = m_session ? m_session->states().kept(handle) : KeptState())
            states.push_back(std::move(state));
    };
    if (rows.empty())
        std::for_each(m_all->begin(), m_all->end(), add);
    for (const int row : rows)
        add(handleAt(row));
    const auto shown = exportedColumns(m_kind, states);
    return [shown, states = std::move(states)] {
        QString text;
        const auto addLine = [&](const auto& cell) {
            QStringList cells;
            for (const Column& column : shown)
                cells << cell(column);
            text += csvLine(cells);
        };
        addLine([](const Column& column) { return title(column); });
        for (const KeptState& kept : states) {
            const StatePtr state = kept.state();
            addLine([&](const Column& column) { return cellOf(column, *state); });
        }
        return text;
    };
}

} // namespace lk
