// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/recentlist.h"

#include "widgets/controls/environmentbadge.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyledItemDelegate>

namespace lk {

namespace {

enum Role { NameRole = Qt::UserRole, EndpointRole, EnvironmentRole };

constexpr int sideMargin = 12;
constexpr int lineMargin = 8;
constexpr int lineGap = 2;

// What to call a server that nobody named: its host, its socket's file, or its Sentinels' name for
// it.
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

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
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
        const int taken = paintBadge(*painter, inner, index, option.palette);
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
    setUniformItemSizes(true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
}

void RecentList::setServers(const QList<RecentServer>& servers)
{
    m_servers = servers;
    clear();
    for (const RecentServer& server : servers) {
        auto* item = new QListWidgetItem(this);
        const QString endpoint = server.url.endpoint();
        const QString name = server.name.isEmpty() ? shortName(server.url) : server.name;
        item->setData(NameRole, name);
        item->setData(EndpointRole, server.url.user.isEmpty()
                                        ? endpoint
                                        : server.url.user + QLatin1Char('@') + endpoint);
        item->setData(EnvironmentRole, server.environment);
        item->setData(Qt::AccessibleTextRole,
                      QStringList{name, endpoint, server.environment}.join(QStringLiteral(", ")));
        item->setToolTip(plainTip(server.url.withoutPassword()));
    }
}

std::optional<RecentServer> RecentList::current() const
{
    const int row = currentRow();
    return row >= 0 && row < m_servers.size() ? std::optional(m_servers[row]) : std::nullopt;
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
