// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QVariantMap>

class QSettings;

namespace lk {

/// The user's arrangement of the window, kept in the settings for each deployment: by its address,
/// without user and password, and by its label. A deployment with the same address and label gets
/// it again. Deployments that were not opened for the longest time are forgotten. GUI thread.
class DeploymentViews final
{
public:
    static constexpr int limit = 50;

    /// The settings outlive this.
    explicit DeploymentViews(QSettings& settings);

    /// Plain values and maps of such; empty: never seen.
    QVariantMap load(const ServerUrl& url, const QString& label) const;
    void save(const ServerUrl& url, const QString& label, const QVariantMap& view);

private:
    void forgetOldest();

    QSettings& m_settings;
};

} // namespace lk
