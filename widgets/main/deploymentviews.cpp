// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/deploymentviews.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QSettings>

#include <algorithm>

namespace lk {

namespace {

const QString rootGroup = QStringLiteral("deployments");
const QString viewGroup = QStringLiteral("view");
const QString serverKey = QStringLiteral("server");
const QString labelKey = QStringLiteral("label");
const QString usedKey = QStringLiteral("used"); // UTC, ISO 8601

// An address has slashes, which mean a group in settings.
QString groupOf(const ServerUrl& url, const QString& label)
{
    const QByteArray text = url.endpoint().toUtf8() + '\n' + label.toUtf8();
    return rootGroup + QLatin1Char('/') +
           QString::fromLatin1(
               QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(16));
}

void write(QSettings& settings, const QVariantMap& values)
{
    for (auto it = values.begin(); it != values.end(); ++it) {
        if (it->typeId() != QMetaType::QVariantMap) {
            settings.setValue(it.key(), *it);
            continue;
        }
        settings.beginGroup(it.key());
        write(settings, it->toMap());
        settings.endGroup();
    }
}

QVariantMap read(QSettings& settings)
{
    QVariantMap values;
    const QStringList keys = settings.childKeys();
    for (const QString& key : keys)
        values.insert(key, settings.value(key));
    const QStringList groups = settings.childGroups();
    for (const QString& group : groups) {
        settings.beginGroup(group);
        values.insert(group, read(settings));
        settings.endGroup();
    }
    return values;
}

} // namespace

DeploymentViews::DeploymentViews(QSettings& settings)
    : m_settings(settings)
{}

QVariantMap DeploymentViews::load(const ServerUrl& url, const QString& label) const
{
    m_settings.beginGroup(groupOf(url, label));
    m_settings.beginGroup(viewGroup);
    const QVariantMap view = read(m_settings);
    m_settings.endGroup();
    m_settings.endGroup();
    return view;
}

void DeploymentViews::save(const ServerUrl& url, const QString& label, const QVariantMap& view)
{
    m_settings.beginGroup(groupOf(url, label));
    m_settings.remove(QString());
    m_settings.setValue(serverKey, url.endpoint());
    m_settings.setValue(labelKey, label);
    m_settings.setValue(usedKey, QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs));
    m_settings.beginGroup(viewGroup);
    write(m_settings, view);
    m_settings.endGroup();
    m_settings.endGroup();
    forgetOldest();
}

void DeploymentViews::forgetOldest()
{
    m_settings.beginGroup(rootGroup);
    QStringList groups = m_settings.childGroups();
    if (groups.size() > limit) {
        const auto used = [this](const QString& group) {
            return m_settings.value(group + QLatin1Char('/') + usedKey).toString();
        };
        std::sort(groups.begin(), groups.end(),
                  [&](const QString& a, const QString& b) { return used(a) > used(b); });
        for (const QString& group : groups.mid(limit))
            m_settings.remove(group);
    }
    m_settings.endGroup();
}

} // namespace lk
