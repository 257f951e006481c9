// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/recentlist.h"

#include "widgets/controls/environmentbadge.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QMap>
#include <QPainter>
#include <QStyledItemDelegate>

namespace lk {

namespace {

enum Role { NameRole = Qt::UserRole, EndpointRole, EnvironmentRole, PlaceRole, StarRole };
constexpr int noPlace = -1; // of a title

constexpr int sideMargin = 12;
constexpr int lineMargin = 8;
constexpr int lineGap = 2;

// Returns the name of a server without a given one: its host, its socket's file, or its Sentinels'
// name for it.
QString shortName(const ServerUrl& url)
{
    if (url.deployment == ServerUrl::Deployment::Sentinel)
        return url.masterName;
    return url.scheme == ServerUrl::Scheme::Unix ? url.path.section(QLatin1Char('/'), -1)
                                                 : url.host;
}

QFont badgeFont()
{
    QFont font = uiFont(TextSize::Caption);
    font.setWeight(QFont::DemiBold);
    return font;
}

class ServerDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        if (index.data(PlaceRole).toInt() == noPlace)
            return {120, QFontMetrics(uiFont(TextSize::Caption)).height() + 2 * lineMargin};
        const int lines = qMax(QFontMetrics(uiFont(TextSize::Body)).height(),
                               environmentBadgeSize(QStringLiteral("x"), badgeFont()).height()) +
                          QFontMetrics(monoFont(TextSize::Caption)).height();
        return {120, lines + lineGap + 2 * lineMargin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const bool selected = option.state & QStyle::State_Selected;
        const ThemeColors& colors = themeColors(option.palette);
        if (index.data(PlaceRole).toInt() == noPlace)
            return paintTitle(*painter, option, index.data(NameRole).toString());
        painter->save();
        if (selected) {
            painter->fillRect(option.rect, colors.tint(ColorRole::Accent));
            painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())),
                              colors.accent);
        } else if (option.state & QStyle::State_MouseOver) {
            painter->fillRect(option.rect, option.palette.alternateBase());
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(colors.accent);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        const QRect inner = option.rect.adjusted(sideMargin, lineMargin, -sideMargin, -lineMargin);
        int taken = paintBadge(*painter, inner, index, option.palette);
        if (index.data(StarRole).toBool()) {
            const int side = QFontMetrics(uiFont(TextSize::Body)).height() - 2;
            icon(QStringLiteral("star"), ColorRole::Accent, option.palette)
                .paint(painter, inner.right() - taken - side, inner.top() + 1, side, side);
            taken += side + 4;
        }
        const auto line = [&](const QFont& font, const QColor& color, Role role, int width,
                              Qt::Alignment vertical, Qt::TextElideMode elide) {
            painter->setFont(font);
            painter->setPen(color);
            painter->drawText(
                QRect(inner.topLeft(), QSize(width, inner.height())), Qt::AlignLeft | vertical,
                painter->fontMetrics().elidedText(index.data(role).toString(), elide, width));
        };
        line(uiFont(TextSize::Body), colors.text, NameRole, inner.width() - taken, Qt::AlignTop,
             Qt::ElideRight);
        line(monoFont(TextSize::Caption), colors.second, EndpointRole, inner.width(),
             Qt::AlignBottom, Qt::ElideMiddle);
        painter->restore();
    }

private:
    static void paintTitle(QPainter& painter, const QStyleOptionViewItem& option,
                           const QString& title)
    {
        painter.save();
        painter.setFont(badgeFont());
        painter.setPen(themeColors(option.palette).second);
        const QRect inner = option.rect.adjusted(sideMargin, lineMargin, -sideMargin, 0);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(title, Qt::ElideRight, inner.width()));
        painter.restore();
    }

    // The pixels that it took from the first line.
    static int paintBadge(QPainter& painter, const QRect& inner, const QModelIndex& index,
                          const QPalette& palette)
    {
        const QString label = index.data(EnvironmentRole).toString();
        if (label.isEmpty())
            return 0;
        painter.setFont(badgeFont());
        QSize size = environmentBadgeSize(label, badgeFont());
        size.setWidth(qMin(size.width(), inner.width() * 3 / 5));
        paintEnvironmentBadge(
            painter, {QPoint(inner.right() - size.width() + 1, inner.top()), size}, label, palette);
        return size.width() + 8;
    }
};

} // namespace

RecentList::RecentList(QWidget* parent)
    : QListWidget(parent)
{
    setAccessibleName(tr("Recent servers"));
    setItemDelegate(new ServerDelegate(this));
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
}

void RecentList::setServers(const QList<RecentServer>& servers, const QString& filter)
{
    m_servers = servers;
    clear();
    QMap<QString, QList<int>> groups; // by their titles
    QList<int> starred;
    QList<int> others;
    const QString wanted = filter.trimmed();
    for (int place = 0; place < m_servers.size(); ++place) {
        const RecentServer& server = m_servers[place];
        const QString text =
            QStringList{server.name, server.url.endpoint(), server.environment, server.group}.join(
                QLatin1Char('\n'));
        if (!text.contains(wanted, Qt::CaseInsensitive))
            continue;
        (server.starred           ? starred
         : server.group.isEmpty() ? others
                                  : groups[server.group])
            .append(place);
    }
    const auto add = [this](const QString& title, const QList<int>& places) {
        if (!title.isEmpty() && !places.isEmpty())
            addTitle(title);
        for (const int place : places)
            addServer(place);
    };
    add(tr("Starred"), starred);
    for (auto it = groups.begin(); it != groups.end(); ++it)
        add(it.key(), it.value());
    add(starred.isEmpty() && groups.isEmpty() ? QString() : tr("Recent"), others);
}

void RecentList::addTitle(const QString& title)
{
    auto* item = new QListWidgetItem(this);
    item->setFlags(Qt::NoItemFlags);
    item->setData(PlaceRole, noPlace);
    item->setData(NameRole, title);
    item->setData(Qt::AccessibleTextRole, title);
}

void RecentList::addServer(int place)
{
    const RecentServer& server = m_servers[place];
    auto* item = new QListWidgetItem(this);
    const QString endpoint = server.url.endpoint();
    const QString name = server.name.isEmpty() ? shortName(server.url) : server.name;
    item->setData(PlaceRole, place);
    item->setData(StarRole, server.starred);
    item->setData(NameRole, name);
    item->setData(EndpointRole, server.url.user.isEmpty()
                                    ? endpoint
                                    : server.url.user + QLatin1Char('@') + endpoint);
    item->setData(EnvironmentRole, server.environment);
    QStringList parts{name, endpoint, server.environment, server.group};
    if (server.starred)
        parts << tr("starred");
    parts.removeAll(QString());
    item->setData(Qt::AccessibleTextRole, parts.join(QStringLiteral(", ")));
    QString tip = server.url.withoutPassword();
    if (server.isShared)
        tip += QLatin1Char('\n') + tr("From the team file");
    item->setToolTip(plainTip(tip));
}

void RecentList::selectFirst()
{
    for (int row = 0; row < count(); ++row) {
        if (item(row)->data(PlaceRole).toInt() != noPlace)
            return setCurrentRow(row);
    }
    setCurrentRow(-1);
}

std::optional<RecentServer> RecentList::current() const
{
    return at(currentRow());
}

std::optional<RecentServer> RecentList::at(int row) const
{
    const QListWidgetItem* one = item(row);
    const int place = one ? one->data(PlaceRole).toInt() : noPlace;
    return place >= 0 && place < m_servers.size() ? std::optional(m_servers[place]) : std::nullopt;
}

void RecentList::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Delete && current())
        emit forgetRequested();
    else
        QListWidget::keyPressEvent(event);
}

void RecentList::paintEvent(QPaintEvent* event)
{
    QListWidget::paintEvent(event);
    if (count() > 0)
        return;
    QPainter painter(viewport());
    painter.setPen(themeColors(palette()).second);
    painter.setFont(uiFont(TextSize::Caption));
    painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     tr("Servers you connect to are listed here, without passwords.\n\nNo server "
                        "at hand? Open the demo."));
}

} // namespace lk
